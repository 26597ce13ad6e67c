"""AIVAT for heads-up hold'em (Burch, Schmid, Moravčík, Morrill and Bowling 2018)."""
