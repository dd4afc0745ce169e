"""Published figures of lossy compressors, made anew: scripts/compressors writes them to results/compressors."""
