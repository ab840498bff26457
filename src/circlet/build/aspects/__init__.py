"""Aspect data from any captions: instructions with a target and a hard negative, to be verified."""

from circlet.build.aspects.cases import AspectCase, read_cases
from circlet.build.aspects.drafts import Draft, Refusal
from circlet.build.aspects.making import AspectPlan, AspectReport, make_aspects, missing, paint
from circlet.build.aspects.prompts import by_server
from circlet.build.aspects.scenes import by_scene
from circlet.build.aspects.sources import CaptionSource, read_sources
from circlet.build.aspects.templates import by_template

__all__ = [
    "AspectCase",
    "AspectPlan",
    "AspectReport",
    "CaptionSource",
    "Draft",
    "Refusal",
    "by_scene",
    "by_server",
    "by_template",
    "make_aspects",
    "missing",
    "paint",
    "read_cases",
    "read_sources",
]
