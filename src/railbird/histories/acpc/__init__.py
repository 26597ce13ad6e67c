"""Match logs of the Annual Computer Poker Competition, its game definitions and transcripts."""
