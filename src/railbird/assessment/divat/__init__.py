"""DIVAT of heads-up limit hold'em (Kan 2007): baseline roll-outs, scores, exact preflop tables.

`railbird.assessment.divat.any_game` serves any hold'em.
"""
