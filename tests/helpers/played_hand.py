"""A hand of two players after the flop, as a poker site writes it."""

from __future__ import annotations

HAND = """PokerStars Hand #7:  Hold'em No Limit (50/100)
Table 'x' 6-max Seat #6 is the button
Seat 1: Ann (10000 in chips)
Seat 2: Bob (4000 in chips)
Seat 3: Cid (10000 in chips)
Seat 4: Dan (10000 in chips)
Seat 5: Eve (10000 in chips)
Seat 6: Fay (10000 in chips)
Ann: posts small blind 50
Bob: posts big blind 100
*** HOLE CARDS ***
Dealt to Bob [7d 2h]
Cid: folds
Dan: folds
Eve: folds
Fay: raises 150 to 250
Ann: folds
Bob: calls 150
*** FLOP *** [3s Jh 2c]
Bob: bets 200
Fay: raises 500 to 700
Bob: calls 500
*** TURN *** [3s Jh 2c] [Tc]
Bob: checks
Fay: bets 9050 and is all-in
Bob: calls 3050 and is all-in
Uncalled bet (6000) returned to Fay
*** RIVER *** [3s Jh 2c Tc] [Ks]
*** SHOW DOWN ***
Bob: shows [7d 2h] (a pair of Deuces)
Fay: shows [Ah Js] (a pair of Jacks)
Fay collected 8050 from pot
*** SUMMARY ***
Total pot 8050 | Rake 0
Board [3s Jh 2c Tc Ks]
"""

HEADS_UP = """PokerStars Hand #8:  Hold'em No Limit ($0.50/$1.00 USD)
Table 'y' 2-max Seat #1 is the button
Seat 1: Gus ($100 in chips)
Seat 2: Hal ($112.50 in chips)
Gus: posts small blind $0.50
Hal: posts big blind $1
*** HOLE CARDS ***
Dealt to Gus [Ah Kd]
Gus: raises $1.50 to $2.50
Hal: calls $1.50
*** FLOP *** [Ks 7d 2c]
Hal: checks
Gus: bets $2.50
Hal: calls $2.50
*** TURN *** [Ks 7d 2c] [9h]
Hal: checks
Gus: checks
*** RIVER *** [Ks 7d 2c 9h] [3d]
Hal: bets $6.50
Gus: calls $6.50
*** SHOW DOWN ***
Hal: shows [9s 8s] (a pair of Nines)
Gus: shows [Ah Kd] (a pair of Kings)
Gus collected $22.50 from pot
*** SUMMARY ***
Total pot $23 | Rake $0.50
Board [Ks 7d 2c 9h 3d]
"""
"""At a table of two, raked to the cap."""
