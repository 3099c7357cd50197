"""What a network's classes are called in sentences: digits, letters, or just classes.

A network brings the names of its classes and nothing else; everything here follows from them.
Ten MNIST classes "0" … "9" are digits: "a digit", "a 7", "the writer meant 7". Fashion-MNIST's are
classes: "a class", "Sneaker", "labelled Sneaker".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

Kind = Literal["digit", "letter", "class"]

_PLURALS = {"digit": "digits", "letter": "letters", "class": "classes"}
_AN = set("8AEFHILMNORSX")  # begin with a vowel when they are read out


def kind(names: Sequence[str]) -> Kind:
    """What one class is: "digit" or "letter" where every name is a single one, else "class"."""
    if all(len(name) == 1 and name in "0123456789" for name in names):
        return "digit"
    if all(len(name) == 1 and name.isalpha() for name in names):
        return "letter"
    return "class"


def kinds(names: Sequence[str]) -> str:
    """What several classes are: "digits", "letters" or "classes"."""
    return _PLURALS[kind(names)]


def written(names: Sequence[str]) -> bool:
    """Whether the classes are characters, which a pen writes; else they are seen in pictures."""
    return kind(names) != "class"


def shown(names: Sequence[str]) -> str:
    """What the network is shown one of: "digit", "letter", or, where these are classes, "picture".

    "Draw one digit", "your letter", "a picture of your own".
    """
    return kind(names) if written(names) else "picture"


def a(name: str) -> str:
    """One of a class: "a 7", "an 8", "an F"; a longer name as it is, without an article."""
    if len(name) != 1:
        return name
    return f"an {name}" if name.upper() in _AN else f"a {name}"


def label(names: Sequence[str], true: int | None) -> str:
    """What a sample is: "the writer meant 7", or of a class "labelled Sneaker"; empty for None."""
    if true is None:
        return ""
    return f"the writer meant {names[true]}" if written(names) else f"labelled {names[true]}"


# --- on the Draw page -------------------------------------------------------------------------


def title(names: Sequence[str]) -> str:
    """What to do there."""
    return f"Draw a {shown(names)}" if written(names) else "Show it a picture"


def welcome(names: Sequence[str], *, draws: bool) -> str:
    """What there is to see; `draws` says whether the network has a decoder."""
    one, begin = kind(names), "Draw" if written(names) else "Take one from below"
    rebuild = ", take hold of what the network saw in **Rebuild**" if draws else ""
    return (
        f"CapsNet Explorer: a capsule network reads your {shown(names)}. Its capsules are small "
        f"groups of neurons, and a {one}'s capsule is the longer the surer the {one} is there. "
        f"{begin}, watch its parts vote in **Route**{rebuild}."
    )


def wanted(names: Sequence[str]) -> str:
    """Which picture to upload."""
    if written(names):
        return f"One {kind(names)}, dark on light or light on dark: a photo, a scan, a drawing"
    return "One thing that fills a picture of plain ground: all of it is fitted into 28 × 28 pixels"


def no_pen(test_set: str) -> str:
    """What a drawing is to a network of other classes than characters."""
    return (
        f"This network learned from pictures ({test_set}), not from pen strokes, and a drawing is "
        "laid into the image as MNIST's digits are: what it reads in one means little."
    )


def no_samples(file: str) -> str:
    """Why the shelf is empty, and what to do."""
    return (
        f"`{file}` holds none: the training that wrote it kept none. `python -m capsnet.measure "
        f"{file} --dataset … --samples` puts some images of its test set there."
    )
