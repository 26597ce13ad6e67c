"""Blueprints of heads-up no-limit: betting by a menu, cards by buckets, external sampling."""
