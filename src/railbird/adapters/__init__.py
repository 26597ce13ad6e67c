"""Adapters to other libraries; each module needs the extra of its name.

From a clone, `pip install '.[pettingzoo]'` for `railbird.adapters.pettingzoo`, `'.[openspiel]'` for
`railbird.adapters.openspiel`.
"""
