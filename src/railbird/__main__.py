"""``python -m railbird``, for where the script is not on the path."""

from railbird.cli import main

main()
