"""Does a metric agree with people? Human judgments, and metrics measured by them."""
