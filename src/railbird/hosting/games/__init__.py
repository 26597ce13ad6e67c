"""Games in play without I/O: the fold of their records, hands, turns and clocks."""
