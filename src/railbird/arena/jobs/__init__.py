"""Worker processes, their scheduling, and logs that resume."""
