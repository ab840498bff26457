"""What a picture with words means, without training: sums, edits that are heard, captions."""
