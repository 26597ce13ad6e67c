"""Push/fold: equilibria heads-up and of whole tables."""
