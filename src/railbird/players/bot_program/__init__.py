"""Players that are programs speaking Railbird's protocol on standard input and output."""
