"""From a scene graph to pixels."""
