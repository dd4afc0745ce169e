"""Training steps from the files of profilers: buckets with sizes and ready times, and the passes around them."""
