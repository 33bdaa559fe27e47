"""English questions and answers read by rules; replaced by a reader under a schema."""
