"""Adapters to other libraries; each module needs the extra of its name.

`pip install railbird[pettingzoo]` for `railbird.adapters.pettingzoo`, `railbird[openspiel]` for
`railbird.adapters.openspiel`.
"""
