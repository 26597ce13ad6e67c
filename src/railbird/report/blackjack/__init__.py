"""The chart of a blackjack strategy, as a page, a picture or a CSV file."""

from railbird.report.blackjack.strategy_chart import strategy_chart, write_chart

__all__ = ["strategy_chart", "write_chart"]
