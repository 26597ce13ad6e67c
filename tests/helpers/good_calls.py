"""A call of every public function that works, from which the contract makes those that do not."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from railbird import blackjack
from railbird.arena import League, Match, Ring, Tournaments
from railbird.assessment import assess, score_hand
from railbird.assessment.player_statistics import counts_of_none
from railbird.baseline import STANDARD, BaselineClass
from railbird.cards import VARIANTS, Range, parse_cards, parse_holding
from railbird.estimates import Moments
from railbird.game import (
    HEADS_UP_LIMIT,
    Act,
    Call,
    Fold,
    Raise,
    Street,
    act,
    initial,
    seeded_deals,
    start,
)
from railbird.histories import format_game, read_hand
from railbird.odds import Opponent, PreflopSituation, open_matrix, open_tables
from railbird.report import Image, summarise_match
from railbird.report.match_charts import match_figures
from railbird.solve import PushFoldTable, Terminal, kuhn, uniform
from railbird.tournament import Bounties, Level
from railbird.units import Chips, Seat
from railbird_papers import Workspace

HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC"
FLOP = parse_cards("3h4cJh")
HELD = parse_holding("AdQc")
CARDS = seeded_deals(np.random.default_rng(1), 2, 1)[0]
STATE = start(HEADS_UP_LIMIT, CARDS)
WEIGHTS = np.ones(1326)
MATCH = Match(players=("always-call", "random"), rules=HEADS_UP_LIMIT, deals=2, seed=1)
RECORD = read_hand(HAND)
ASSESSED = assess([RECORD])
GAME = kuhn()
FOLDED = act(STATE, Fold())
TABLES = open_tables()
BASIC = blackjack.basic_strategy(blackjack.Rules())
SUMMARY = summarise_match(ASSESSED)
FIGURE = match_figures(SUMMARY)[0]

GOOD: dict[str, dict[str, Any]] = {
    # cards
    "card_of": {"rank": 3, "suit": 2},
    "cards_of": {"holding": HELD},
    "category": {"strength": 17},
    "class_name": {"hand_class": 3},
    "class_of": {"holding": HELD},
    "describe": {"strength": 17},
    "format_card": {"card": 3},
    "format_cards": {"cards": FLOP},
    "format_holding": {"holding": HELD},
    "holding_of": {"a": 3, "b": 4},
    "holdings_of_class": {"hand_class": 3},
    "parse_card": {"text": "As"},
    "parse_cards": {"text": "As"},
    "parse_class": {"text": "AKs"},
    "parse_holding": {"text": "AsKs"},
    "rank_of": {"card": 3},
    "strength": {"cards": parse_cards("TsJsQsKsAs")},
    "strengths": {"cards": np.zeros((1, 5), np.uint8)},
    "share_strength": {
        "share": VARIANTS["omaha"].shares[0],
        "holes": "AsAhKsKh",
        "board": "2c3c4c5d6d",
    },
    "share_strengths": {
        "share": VARIANTS["stud"].shares[0],
        "holes": np.zeros((1, 5), np.uint8),
        "boards": np.zeros((1, 0), np.uint8),
    },
    "variant_from": {"value": "omaha"},
    "variant_equity": {
        "variant": "omaha-hilo",
        "hands": ["AsAhKsKh", "QdQcJdJc"],
        "boards": ["2c3c4c"],
        "dead": "9s",
        "mode": "auto",
        "samples": 10,
        "rng": np.random.default_rng(0),
    },
    "suit_of": {"card": 3},
    # odds
    "build": {"names": []},
    "cache_folder": {},
    "call_value": {"equity": 0.5, "to_call": 1, "pot": 2},
    "classes_matrix": {"matrix": open_matrix()},
    "ehr": {"ihr": 0.5, "hr7": 0.5, "street": 1, "make1": 0.58},
    "equity": {"players": [HELD, "KK"], "board": FLOP, "dead": ()},
    "final_ranks": {"hole": HELD, "board": FLOP, "tables": TABLES},
    "hand_odds": {
        "hole": HELD,
        "board": FLOP,
        "opponents": 2,
        "make1": 0.58,
        "tables": TABLES,
    },
    "hand_rank": {"hole": HELD, "board": FLOP, "tables": TABLES},
    "hands_on_board": {"board": FLOP},
    "range_hits": {"hands": "QQ+", "board": FLOP},
    "hand_strength": {"hole": HELD, "board": FLOP, "weights": WEIGHTS, "opponents": 2},
    "hand_strengths": {"board": FLOP, "weights": WEIGHTS},
    "implied_odds": {"to_call": 1, "pot": 2, "future_bets": 1, "future_winnings": 1},
    "joint_hand_strength": {"hole": HELD, "board": FLOP, "first": WEIGHTS, "second": WEIGHTS},
    "model_odds": {"hole": HELD, "board": FLOP, "models": [Range.full()]},
    "open_matrix": {},
    "open_tables": {},
    "pot_odds": {"to_call": 1, "pot": 2},
    "potential": {"hole": HELD, "board": FLOP, "to_come": 1, "weights": WEIGHTS},
    "raw_odds": {"hole": HELD, "board": FLOP, "opponents": 2, "tables": TABLES},
    "bluffing_frequency": {"ratio": 0.5, "odds_against_value": 0.1},
    "draw_value": {
        "outs": 9,
        "unseen": 47,
        "pot": 40.0,
        "calls": [4.0, 8.0],
        "paid": [8.0, 8.0],
        "bettors": 1,
    },
    "class_equities": {"weights": WEIGHTS},
    "odds_by_opponents": {"hole": HELD, "board": FLOP, "weights": WEIGHTS, "most": 2},
    "outs": {"hole": HELD, "board": FLOP, "weights": WEIGHTS, "opponents": 2},
    "PreflopSituation": {"seats": 2, "own": 0, "acted": {}, "looseness": {0: 2.0}},
    "Stakes": {"bets": 3.0, "paying": 0.5, "rake": 0.05, "rake_cap": 1.0},
    "flop_outcomes": {"hand": "AKs", "table": PreflopSituation(seats=2), "action": "call"},
    "preflop_value": {"hand": "AKs", "table": PreflopSituation(seats=2)},
    "pays": {"odds": 0.25, "ratio": 0.1},
    "raise_ratio": {"callers": 2.0},
    "required_equity": {"ratio": 0.25},
    "risk_ratio": {"own_bets": 4.0, "final_pot": 20.0},
    "straight_play": {
        "odds": 0.25,
        "implied": 0.1,
        "raising": 0.5,
        "facing_bet": True,
        "may_raise": True,
        "if_raised": 0.2,
        "is_made": False,
    },
    "odds.Opponent": {"range": "top 20%", "acts": (), "looseness": 1.0},
    "looseness_of": {"flops_seen": 3, "hands": 10, "ideal": 0.2, "prior": 20.0},
    "reflected_weights": {"opponent": Opponent(), "board": FLOP, "softness": 0.0},
    "reflective_odds": {"hole": HELD, "board": FLOP, "opponents": [Opponent()], "softness": 0.1},
    "showdown_odds": {"hole": HELD, "board": FLOP, "opponents": ["random"]},
    "spectrum": {"hole": HELD, "board": FLOP, "weights": WEIGHTS},
    "status": {},
    # game
    "AcpcDealer": {"seed": 1},
    "Rules": {
        "betting": HEADS_UP_LIMIT.betting,
        "blinds": HEADS_UP_LIMIT.blinds,
        "bet_sizes": HEADS_UP_LIMIT.bet_sizes,
        "first_to_act": HEADS_UP_LIMIT.first_to_act,
        "stacks": None,
        "antes": (),
        "max_raises": None,
    },
    "acpc_rules": {"rules": HEADS_UP_LIMIT},
    "act": {"state": STATE, "action": Call(), "cards": None},
    "due": {"state": initial(HEADS_UP_LIMIT), "cards": CARDS},
    "initial": {"rules": HEADS_UP_LIMIT},
    "is_settled": {"state": STATE},
    "legal": {"state": STATE},
    "limit_holdem": {
        "seats": 2,
        "small_bet": 10,
        "max_raises": (3, 4, 4, 4),
        "stack": 100,
        "ante": 1,
    },
    "no_limit_holdem": {"seats": 3, "blinds": (1, 2), "stack": 100, "ante": 0, "straddle": 4},
    "payoff_parts": {"state": STATE},
    "payoffs": {"state": FOLDED},
    "pot_limit_holdem": {"seats": 3, "blinds": (1, 2), "stack": 100},
    "pots": {"state": STATE},
    "public": {"state": STATE},
    "refusal": {"state": STATE, "action": Raise(Chips(20))},
    "replay": {
        "rules": HEADS_UP_LIMIT,
        "holdings": ["AsKs", None],
        "board": "",
        "actions": [Call()],
    },
    "seeded_deals": {"rng": np.random.default_rng(1), "seats": 2, "deals": 1},
    "seen_by": {"event": Act(Seat(1), Call()), "seat": Seat(0)},
    "showdown": {"state": STATE},
    "start": {"rules": HEADS_UP_LIMIT, "cards": CARDS},
    "step": {"state": STATE, "event": Act(Seat(1), Call())},
    "view": {"state": STATE, "seat": Seat(0)},
    # baseline
    "baseline_line": {
        "street": Street.FLOP,
        "first": BaselineClass.CALL,
        "second": BaselineClass.MAKE1,
        "after": "",
    },
    "break_even_fractions": {"raises_left": 3},
    "classify": {
        "settings": STANDARD,
        "street": Street.FLOP,
        "rank": Fraction(1, 2),
        "contribution": 1,
    },
    "cutoffs": {"settings": STANDARD, "most": 8},
    "derived_thresholds": {"raises_left": 3, "folded": Fraction(0), "decimals": 2},
    "exact": {"decimal": 0.5},
    "parse_settings": {"text": "tight-low"},
    "parse_smoothing": {"text": "tight-low+standard"},
    "settings_from": {"value": "tight-low"},
    "smoothing_from": {"value": ["tight-low", "standard+loose-low"]},
    # blackjack
    "blackjack.Rules": {"decks": 1, "resplits": 0},
    "basic_strategy": {"rules": blackjack.Rules(), "shoe": None},
    "optimal_strategy": {"rules": blackjack.Rules(), "shoe": None},
    "full_shoe": {"rules": blackjack.Rules()},
    "game_value": {"strategy": BASIC, "shoe": None},
    "hand_values": {"player": (3, 4), "upcard": 6, "rules": blackjack.Rules(), "shoe": None},
    "parse_ranks": {"text": "4,5"},
    "parse_rules": {"text": "decks=6"},
    "parse_seat": {"text": "basic", "rules": blackjack.Rules()},
    "parse_shoe": {"text": "A-9:10,T:55"},
    "parse_strategy": {"text": "basic", "rules": blackjack.Rules()},
    "simulate": {
        "rules": blackjack.Rules(),
        "seats": [blackjack.parse_seat("basic", blackjack.Rules())],
        "rounds": 2,
        "penetration": 0.0,
        "seed": 1,
    },
    # histories
    "betting_line": {"rules": HEADS_UP_LIMIT, "actions": (Call(),)},
    "convert": {"source": "hand.txt", "target": "hand.log"},
    "detect": {"lines": [HAND]},
    "format_amount": {"amount": Fraction(1, 2)},
    "format_game": {"rules": HEADS_UP_LIMIT},
    "format_named": {"name": "acpc"},
    "game_spec": {"rules": HEADS_UP_LIMIT},
    "one_line": {"record": RECORD},
    "money_by_player": {"batches": []},
    "parse_results": {"text": "Ann +1, Bob -1"},
    "settle": {"results": {"Ann": Fraction(1), "Bob": Fraction(-1)}},
    "parse_game": {"text": format_game(HEADS_UP_LIMIT), "name": "game"},
    "read": {"source": "hand.txt", "game": None, "format_name": None, "rename": {}},
    "read_game": {"path": "a.game"},
    "read_hand": {"text": HAND, "game": None},
    "hands_from": {"source": [RECORD]},
    "resolve_game": {"spec": "holdem.limit.2p.reverse_blinds.game", "beside": None},
    "state_line": {"record": RECORD, "number": 3},
    "writable_format": {"target": "a.log"},
    "histories.write": {"records": [RECORD], "target": "other.log", "format_name": "acpc"},
    # acpc
    "action_text": {"state": STATE, "action": Call()},
    "is_comment": {"line": "# x"},
    "is_version": {"line": "VERSION:2.0.0"},
    "launch": {"command": ["true"], "seconds": 0.01},
    "parse_answer": {"line": "MATCHSTATE:0:0::AsKs|:c"},
    "parse_state": {"text": "MATCHSTATE:0:0::AsKs|"},
    "read_action": {"state": STATE, "text": "c"},
    # solve
    "solve.Chart": {"stack": 10.0, "push": np.ones(169), "call": np.ones(169)},
    "PushFold": {"stack": 10.0, "ante": 0.0},
    "PushFoldTable": {
        "stacks": (5.0, 3.0),
        "payouts": (50.0,),
        "bounties": Bounties(heads=(10.0, 20.0)),
        "most_in": 2,
        "future_hands": 1,
    },
    "best_response": {"game": GAME, "strategy": uniform(GAME), "player": 0},
    "best_response_call": {"push": np.ones(169), "stack": 10.0, "ante": 0.0},
    "best_response_push": {"call": np.ones(169), "stack": 10.0, "ante": 0.0},
    "best_response_values": {"game": GAME, "strategy": uniform(GAME), "player": 0},
    "by_name": {"values": np.ones(169)},
    "compile_game": {"root": Terminal(0, 1.0), "matrices": [np.ones((2, 2))]},
    "exploitability": {"game": GAME, "strategy": uniform(GAME)},
    "frequencies_of": {"values": np.ones(169), "name": "push"},
    "future_equities": {"table": PushFoldTable(stacks=(5.0, 3.0), payouts=(50.0,))},
    "pushfold_ev": {"push": np.ones(169), "call": np.ones(169), "stack": 10.0, "ante": 0.0},
    "read_pushfold_chart": {"path": "chart.json"},
    "share_of_holdings": {"frequencies": np.ones(169)},
    "solve": {"game": GAME, "tolerance": 0.1, "most": 10},
    "solve_pushfold": {"stack": 10.0, "ante": 0.0, "tolerance": 0.1},
    "sweep_stacks": {"stacks": [10.0], "ante": 0.0, "tolerance": 0.1},
    "uniform": {"game": GAME},
    "values": {"game": GAME, "strategy": uniform(GAME), "player": 0},
    # modelling
    "Frequencies": {"decay": 1.0, "counts": None},
    "board_values": {"board": tuple(sorted(FLOP))},
    "income_rates": {"opponents": 1},
    "roll_out": {
        "opponents": 1,
        "samples": 1,
        "rng": np.random.default_rng(1),
        "classes": range(1),
    },
    # players
    "keeps_memory": {"text": "loki:som"},
    "solves_while_playing": {"text": "loki:som"},
    "make_player": {"text": "random"},
    "parse_spec": {"text": "random"},
    "policy_of": {"player": object(), "rules": HEADS_UP_LIMIT},
    # arena
    "FaultPolicy": {"decision_limit": None, "bank": 0.0},
    "League": {"players": ("random", "baseline"), "rules": HEADS_UP_LIMIT, "deals": 2, "seed": 1},
    "Match": {
        "players": ("random", "baseline"),
        "rules": HEADS_UP_LIMIT,
        "deals": 2,
        "seed": 1,
        "chunk": 10,
    },
    "Rebuys": {"below": Fraction(0), "most": 3},
    "Refill": {"seconds": 1.0, "hands": 3},
    "Ring": {"players": ("random", "baseline"), "hands": 3, "seed": 1, "buy_in": 100},
    "Tournaments": {"players": ("random", "baseline"), "count": 1, "seed": 1, "stack": 100},
    "hands": {"match": MATCH},
    "parse_rebuys": {"text": "below=0.5", "most": 3},
    "parse_refill": {"text": "1/10"},
    "play": {"match": MATCH, "log": "match.log", "workers": 1, "on": None},
    "play_league": {
        "league": League(players=MATCH.players, rules=HEADS_UP_LIMIT, deals=2, seed=1),
        "logs": "logs",
        "workers": 1,
    },
    "play_ring": {
        "ring": Ring(players=MATCH.players, hands=2, seed=1, buy_in=100),
        "log": "ring.log",
        "workers": 1,
    },
    "play_tournaments": {
        "tournaments": Tournaments(players=MATCH.players, count=1, seed=1, stack=100),
        "log": "tournaments.log",
        "workers": 1,
    },
    # tournament
    "Level": {"small": 1, "big": 2, "ante": 0, "hands": 3},
    "Schedule": {"levels": (Level(small=1, big=2, hands=3),)},
    "Bounties": {"heads": (10.0, 20.0), "paid_at_once": 0.5, "model": "flat"},
    "bounty_equities": {"stacks": [5.0, 3.0], "bounties": Bounties(heads=(10.0, 20.0))},
    "bubble_factors": {
        "stacks": [5.0, 3.0],
        "payouts": [50.0],
        "bounties": Bounties(heads=(10.0, 20.0)),
    },
    "place_probabilities": {"stacks": [5.0, 3.0], "had": [4.0, 4.0]},
    "prize_equities": {"stacks": [5.0, 3.0], "payouts": [50.0], "had": [4.0, 4.0]},
    "parse_payouts": {"text": "50/30/20"},
    "parse_schedule": {"text": "10/20x10"},
    # estimates
    "bankroll_of": {"mean": 5.0, "sd": 80.0, "low": 2.0, "high": 8.0},
    "risk_of_ruin": {"mean": 5.0, "sd": 80.0, "bankroll": 2000.0},
    "hands_to_tell": {"difference": 0.1, "sd": 1.0},
    "variance_reduction": {"reference": Moments(3, 1.0, 2.0), "reduced": Moments(3, 1.0, 2.0)},
    # assessment
    "field_differences": {"rows": counts_of_none(), "player": "Ann"},
    "assess": {"hands": [RECORD], "settings": "standard", "player": None, "threads": 1},
    "crosstable": {"matches": [ASSESSED]},
    "find_table": {"settings": STANDARD, "folder": None},
    "open_scorer": {"settings": STANDARD},
    "score_hand": {"record": HAND, "settings": "standard"},
    "why_unscorable": {"record": RECORD},
    # report
    "report.write": {"assessment": ASSESSED, "folder": "there", "images": (), "largest": 0},
    "export": {"figure": FIGURE, "facts": SUMMARY, "image": Image.SVG},
    "score_table": {"score": score_hand(RECORD), "holes": None},
    "summarise_match": {"assessment": ASSESSED, "points": 10},
    "text": {"assessment": ASSESSED, "estimators": None},
    # railbird_papers
    "Workspace": {"scale": 1.0, "seed": 1, "workers": 1, "folder": "there"},
    "as_object": {"runs": []},
    "papers.write": {"runs": [], "folder": "there", "images": ()},
    "run": {"name": "loki-income-rates", "workspace": Workspace()},
    "table": {"runs": []},
}
"""One good call of each, by name; what is not here takes no argument of another's making."""
