"""What a picture's scene is made of, read from its pixels: which things, how many, of what colour, where."""
