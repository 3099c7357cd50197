"""The words with which the panels in the browser speak of a network's classes and sizes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import wording

if TYPE_CHECKING:
    from collections.abc import Sequence

    from capsnet.config import CapsNetConfig

_NUMBERS = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"),
    *("eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen"),
)


def terms(names: Sequence[str], config: CapsNetConfig) -> dict[str, object]:
    """What the panels say, by what they say of the paper's network: its HTML has "{ten} {digits}".

    Args:
        names: What the classes are called.
        config: The network's sizes.

    Returns:
        digit, digits, Digit: what the classes are; drawing: what an input is called; ten: how many
        classes there are, Eight and sixteen: how many numbers a primary and a digit capsule have,
        fifteen: one fewer, all in words up to sixteen. image, images: what it was tested on.
        Of each class: one, "a 7", and each, "7", which takes "no" before and an "s" behind.
    """
    kind, written = wording.kind(names), wording.written(names)
    return {
        "digit": kind,
        "digits": wording.kinds(names),
        "Digit": kind.capitalize(),
        "drawing": "drawing" if written else "picture",
        "image": kind if written else "image",
        "images": wording.kinds(names) if written else "images",
        "ten": counted(config.classes),
        "Eight": counted(config.primary_dim).capitalize(),
        "sixteen": counted(config.digit_dim),
        "fifteen": counted(config.digit_dim - 1),
        "one": [wording.a(name) for name in names],
        "each": [name if len(name) == 1 else f"{name} image" for name in names],
    }


def counted(number: int) -> str:
    """How many, in words up to sixteen, else in figures."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
