"""Open Hand History, a JSON format of the makers of PokerTracker, versions 1.2 to 1.4.

See https://hh-specs.handhistory.org. A file has one object for each hand, with blank lines between.
"""
