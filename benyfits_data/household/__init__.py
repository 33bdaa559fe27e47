"""What a household is: features, model, measures, constraints."""
