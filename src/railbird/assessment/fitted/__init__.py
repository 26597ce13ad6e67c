"""The fitted estimator: money less luck, weighted by least squares on other hands."""
