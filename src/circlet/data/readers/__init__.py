"""One file for each form of annotation that circlet reads."""
