"""Thirty-one hands of five sites, each read as text by a person who wrote down what it counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from railbird.assessment.player_statistics.statistic_names import Statistic
from railbird.assessment.player_statistics.statistics import counts_of
from railbird.histories import HandRecord, read_columns
from railbird.histories.columns import HandBatch, batch_of

KEYS = {
    "V": Statistic.VPIP,
    "P": Statistic.PFR,
    "3": Statistic.THREE_BET,
    "F3": Statistic.FOLD_TO_THREE_BET,
    "4": Statistic.FOUR_BET,
    "SQ": Statistic.SQUEEZE,
    "ST": Statistic.STEAL,
    "FS": Statistic.FOLD_TO_STEAL,
    "C": Statistic.CBET,
    "FC": Statistic.FOLD_TO_CBET,
    "CT": Statistic.CBET_TURN,
    "CR": Statistic.CHECK_RAISE,
    "A": Statistic.AGGRESSION_FREQUENCY,
    "T": Statistic.WTSD,
    "W": Statistic.WSD,
    "S": Statistic.WWSF,
}
OUT = "V=0 P=0"
"""Folded before the flop with no other chance."""

HANDS = {
    "fulltilt/GameTypeTests_CapNoLimitHoldem": {
        "hockenspit50": OUT,
        "drc40": "V=1 P=1 C=0 CR=0/2 A=0/2 T=0 S=0",
        "oggie the fox": "V=0 P=0 3=0",
        "diknek": "V=1 P=0 3=0 A=2/2 T=0 S=1",
        "Naturalblow": "V=0 P=0 3=0 SQ=0",
        "BeerMySole": "V=0 P=0 3=0 SQ=0",
    },
    "fulltilt/HandActionTests_AllInOnFlop": {
        "Darkking_pt": "V=0 P=0 ST=0",
        "ginalisa18": "V=1 P=1 ST=0 3=1 C=1 A=1/2 T=1 W=0 S=0",
        "1mperial": OUT,
        "Postrail": "V=1 P=1 F3=0 4=0 FC=0 CR=1 A=1 T=1 W=1 S=1",
    },
    "fulltilt/Limits_Limit3": {
        "BeetRootSalad": "V=0 P=0 ST=0",
        "ptci88": "V=1 P=1 ST=1 F3=0 4=0 FC=0 CR=0/3 A=0/3 T=0 S=0",
        "chiles0n": "V=1 P=1 3=1 FS=0 C=1 CT=1 A=3/3 T=0 S=1",
    },
    "fulltilt/PlayerTests_WithShowdown": {
        "burjennio": "V=1 P=1 C=1 CT=0 CR=0 A=1/2 T=1 W=0 S=0",
        "Haklot": "V=0 P=0 3=0",
        "14grant": "V=1 P=0 3=0 FC=0 A=1/2 T=1 W=1 S=1",
        "Caribou0": "V=0 P=0 3=0 SQ=0",
        "Corvus81": "V=0 P=0 3=0 SQ=0",
        "MUFTI76": "V=0 P=0 3=0 SQ=0",
        "ilya1681": "V=0 P=0 3=0 SQ=0",
        "OMGStoneAiken": "V=0 P=0 3=0 SQ=0",
    },
    "fulltilt/Seats_6_Max": {
        "Sonnyy26": OUT,
        "noobbusta": OUT,
        "IpushUpayMe": "V=0 P=0 ST=0",
        "AnnaMaria13": "V=1 P=1 ST=1",
        "BTOPHuK": "V=0 P=0 3=0 FS=1",
        "-d3str0ye7r-": "V=0 P=0 3=0 FS=1",
    },
    "fulltilt/Seats_Full_Ring_(9_Handed)": {
        "Daiv200": OUT,
        "jaghuar": OUT,
        "palma1707": OUT,
        "insomnieux": "V=1 P=1 ST=1",
        "VidiVici 22": "V=0 P=0 3=0",
        "LVJ6666": "V=0 P=0 3=0 FS=1",
        "mothersierra": "V=0 P=0 3=0 FS=1",
    },
    "fulltilt/HandActionTests_3BetHand": {
        "jobetzu": "V=1 P=1 ST=1 F3=0 4=0 FC=1 A=0 T=0 S=0",
        "theking881": "V=1 P=1 3=1 FS=0 C=1 A=1 T=0 S=1",
    },
    "pacific/HandActionTests_3BetHand": {
        "M00700": "V=1 P=0 4=0",
        "cashgamer15": "V=1 P=1 F3=0 4=0 FC=0 CR=0 A=1/2 T=0 S=1",
        "Jack3bet": "V=1 P=1 3=1 C=1 CT=0 A=1/2 T=0 S=0",
        "Krautsturm": "V=0 P=0 4=0",
        "littlez33": "V=0 P=0 4=0",
        "AceOfSpace87": "V=0 P=0 4=0",
    },
    "pacific/StreetTests_Turn": {
        "Luka57": "V=1 P=1 ST=1 C=1 CT=1 A=2/2 T=0 S=1",
        "JonnyRiver69": "V=0 P=0 3=0 FS=1",
        "JazzuJun": "V=1 P=0 3=0 FS=0 FC=0 CR=0/2 A=0/2 T=0 S=0",
    },
    "pacific/StreetTests_Preflop": {
        "JazzuJun": "V=1 P=1",
        "pokermon24": "V=0 P=0 3=0",
        "Br0keDonk": "V=0 P=0 3=0",
        "liulijia": "V=0 P=0 3=0",
        "Birmancat4": "V=0 P=0 3=0",
    },
    "pacific/Tables_Table2": {
        "BanananOne": OUT,
        "kdlishus": OUT,
        "losgenie": OUT,
        "janarr5": OUT,
        "igor888igor": "V=1 P=1 ST=1 C=1 CT=0 A=1 T=1 W=1 S=1",
        "TruDrot": "V=0 P=0 3=0",
        "mikeray747": "V=1 P=0 3=0 FS=0 FC=0 CR=0 A=0 T=1 W=0 S=0",
        "Kaminoontyo": "V=0 P=0 3=0 SQ=0",
    },
    "pacific/Limits_Limit1": {
        "rameez23": "V=1 P=0 ST=0 3=0",
        "Mr.Zsombor": "V=1 P=0 3=0",
        "diamondjin": "V=1 P=1",
    },
    "partypoker/GameTypeTests_FixedLimitHoldem": {
        "aisberg_2013": "V=1 P=0 A=1 T=0 S=1",
        "dam81": OUT,
        "xtracktor": OUT,
        "transkybeat": OUT,
        "jaygeew": OUT,
        "kachanow": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/HandActionTests_AllInHandWithShowdown": {
        "GrindAA": OUT,
        "mumija80": OUT,
        "dr. spaz": "V=1 P=1 ST=1 C=1 CT=1 A=3/3 T=1 W=1 S=1",
        "TYRANNOMAN1": "V=1 P=0 3=0 FC=0 A=0/3 T=1 W=0 S=0",
        "kewen": "V=1 P=0 3=0 SQ=0 FC=1 CR=0 A=0 T=0 S=0",
        "xyxyTiltyxyx": "V=1 P=0 3=0 SQ=0 FC=0 CR=0/3 A=0/3 T=0 S=0",
    },
    "partypoker/Limits_Limit1": {
        "mraeolus": "V=1 P=0 ST=0 3=0 FC=0 A=0/2 T=1 W=1 S=1",
        "Gun5611": OUT,
        "hmups": "V=1 P=1 C=1 CT=0 A=2/2 T=1 W=0 S=0",
    },
    "partypoker/StreetTests_Flop": {
        "mackini1987": "V=1 P=0 A=1 T=0 S=1",
        "SandCylinder": OUT,
        "Amad1971": "V=1 P=0 A=0 T=0 S=0",
        "mm1964": OUT,
        "Kimy1": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/StreetTests_River": {
        "Kimy1": OUT,
        "mackini1987": "V=1 P=0 ST=0 A=1 T=0 S=1",
        "SandCylinder": OUT,
        "Amad1971": OUT,
        "mm1964": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/Tables_Table1": {
        "lukason": "V=1 P=0 CR=0 A=0 T=0 S=0",
        "Wolfmace": "V=1 P=0 CR=0 A=0 T=0 S=0",
        "hausen89": "V=1 P=0 A=1 T=0 S=1",
        "Mav1190": OUT,
        "pagmoz": OUT,
        "Mr.Haze420": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "partypoker/Tables_Table3": {
        "th3_weeknd": "V=0 P=0 ST=0",
        "pizzapete47": "V=1 P=0 ST=0 A=1 T=0 S=1",
        "Hsrhsrhsr52": "V=0 P=0 A=0 T=0 S=0",
    },
    "pokerstars/FixedLimitHoldem": {
        "crvbig": OUT,
        "maverik_t": OUT,
        "vital580": OUT,
        "clammyclam": OUT,
        "thewirds": OUT,
        "patanu1990": "V=0 P=0 ST=0",
        "garycute": "V=0 P=0 ST=0",
        "AMSH78": "V=1 P=1 ST=1",
        "serrulit": "V=0 P=0 3=0 FS=1",
    },
    "pokerstars/GeneralHand": {
        "Player_L": "V=1 P=0 3=0 FC=1 CR=0 A=0 T=0 S=0",
        "H6U5r": OUT,
        "LovID": "V=1 P=1 C=1 A=1 T=0 S=1",
        "Tunks2": "V=0 P=0 3=0",
        "Nightfox82": "V=0 P=0 3=0",
        "Asaki1": "V=0 P=0 3=0",
    },
    "pokerstars/HeroName": {
        "Player4": OUT,
        "Player5": OUT,
        "Player6": "V=1 P=1 ST=1 C=1 CT=0 A=1 T=1 W=0 S=0",
        "Player1": "V=1 P=0 3=0 FC=0 A=0 T=1 W=1 S=1",
        "PS_Hero": "V=0 P=0 3=0 SQ=0",
        "Player3": "V=0 P=0 3=0 SQ=0",
    },
    "pokerstars/NoLimitHoldem": {
        "dem0n-GMRF": OUT,
        "shauneta": OUT,
        "pichcora 811": "V=0 P=0 ST=0",
        "rocketsteph": "V=0 P=0 ST=0",
        "cenopelepi": "V=1 P=1 ST=1",
        "zoomast": "V=0 P=0 3=0 FS=1",
    },
    "pokerstars/SidePot": {
        "lold.lold": OUT,
        "T_Leroy": "V=1 P=1 F3=0 4=1 A=0/2 T=1 W=1 S=1",
        "SW_KaiZ": "V=0 P=0 3=0",
        "pak87": "V=0 P=0 3=0",
        "ilya44rus": "V=1 P=1 3=1 A=2/2 T=1 W=0 S=0",
        "Shupstix": "V=1 P=0 4=0 A=1 T=1 W=0 S=0",
    },
    "pokerstars/ZoomHand": {
        "9124-3": OUT,
        "JoeBlack_MS": OUT,
        "SumerianHaze": "V=1 P=1 ST=1",
        "chukimarios": "V=0 P=0 3=0",
        "M.Moliere": "V=0 P=0 3=0 FS=1",
        "NikolaSRBin": "V=0 P=0 3=0 FS=1",
    },
    "pokerstars/CapNoLimitHoldem": {
        "SirCedric": "V=0 P=0 ST=0",
        "V_Koning": "V=0 P=0 ST=0",
        "Giovanni1983": "",
    },
    "winamax/HandActionTests_3BetHand": {
        "sined20": "V=0 P=0 ST=0",
        "fanf4K UR0": "V=1 P=1 ST=1 F3=0 4=0 FC=1 A=0 T=0 S=0",
        "totti6720": "V=1 P=1 3=1 FS=0 C=1 A=1 T=0 S=1",
        "titi250": "V=0 P=0 4=0",
    },
    "winamax/HandActionTests_BasicHand": {
        "Dbrz34": "V=1 P=0 3=0 FC=1 CR=0 A=0 T=0 S=0",
        "sined20": "V=1 P=1 C=1 A=1 T=0 S=1",
        "fanf4K UR0": "V=0 P=0 3=0",
        "totti6720": "V=0 P=0 3=0",
        "titi250": "V=0 P=0 3=0",
    },
    "winamax/Seats_6_Max": {
        "arthurxxx": OUT,
        "Booobisar": "V=0 P=0 ST=0",
        "LASCONI4": "V=1 P=1 ST=1",
        "I_M_ALL_IN": "V=0 P=0 3=0 FS=1",
        "justlucky": "V=0 P=0 3=0 FS=1",
    },
    "winamax/Tables_Table3": {
        "Kosmos777": "V=1 P=0 A=1 T=0 S=1",
        "WAHIL": "V=0 P=0 A=0 T=0 S=0",
        "beso760": OUT,
        "bishop74270": OUT,
        "R.Ford": "V=0 P=0 CR=0 A=0 T=0 S=0",
    },
    "winamax/Limits_Limit2": {
        "7 7 7": "V=0 P=0 ST=0",
        "9574561": "V=0 P=0 ST=0",
        "Woodshipper1": "V=0 P=0 ST=0",
        "Kool Shen": "",
    },
}
"""By file, for each player dealt in: what was done of how many chances, one where no number stands.

A statistic that is not named has no chance.
"""


def expected(words: str) -> dict[str, tuple[int, int]]:
    """Read what a person wrote down."""
    counts = dict.fromkeys((each.key for each in Statistic), (0, 0))
    for word in words.split():
        key, _, numbers = word.partition("=")
        done, _, chances = numbers.partition("/")
        counts[KEYS[key].key] = int(done), int(chances or 1)
    return counts


@pytest.mark.parametrize("file", HANDS)
def test_a_hand_counts_what_a_reader_counts(file: str, shared_data: Path) -> None:
    read = read_columns(str(shared_data / "sites" / f"{file}.txt"))
    hands = [one for one in read if isinstance(one, HandRecord | HandBatch)]
    (hand,) = [one if isinstance(one, HandBatch) else batch_of([one]) for one in hands]
    found = {
        # One name came down in a broken encoding.
        "SW_KaiZ" if row["player"].startswith("SW_KaiZ") else row["player"]: row
        for row in counts_of(hand).to_dicts()
    }
    assert set(found) == set(HANDS[file])
    for player, words in HANDS[file].items():
        counted = {
            key: (found[player][key], found[player][f"{key}_chances"]) for key in expected("")
        }
        assert counted == expected(words), player
