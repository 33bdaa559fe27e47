"""What a release needs: data files, card, datasheet, metadata."""
