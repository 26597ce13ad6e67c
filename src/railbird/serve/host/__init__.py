"""The tournament server as part of the web application: the house, its results, its operators."""
