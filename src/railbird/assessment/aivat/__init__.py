"""AIVAT for heads-up limit hold'em (Burch, Schmid, Moravčík, Morrill and Bowling 2018)."""
