"""The player's side of a table, without I/O: the viewer's knowledge, in the forms that are drawn.

The browser and the terminal draw the same table. From the protocol's messages `state` folds what
one viewer knows; `felt` has the seats, the board and the pots of it, and `words` the lines of its
log; `choices` has the price of a call, the sizes of raises with names and actions in advance; and
`advice` the odds of a hand, and what a house player would do. Nothing here knows HTML, escape codes
of terminals, sockets or time other than as an argument.
"""
