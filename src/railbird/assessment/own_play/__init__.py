"""One person's play: the result, the decisions and their costs, what others would have done."""
