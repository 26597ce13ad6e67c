"""Worker processes, their scheduling, and resumable logs."""
