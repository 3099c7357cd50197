"""What classes are called in sentences."""

from __future__ import annotations

import pytest

from app import wording
from tests.networks import CLOTHES, LETTERS

DIGITS = tuple("0123456789")


@pytest.mark.parametrize(
    ("names", "kind", "kinds", "shown"),
    [
        (DIGITS, "digit", "digits", "digit"),
        (("3", "7"), "digit", "digits", "digit"),
        (LETTERS, "letter", "letters", "letter"),
        (CLOTHES, "class", "classes", "picture"),
        (("10", "11"), "class", "classes", "picture"),
        (("0", "A"), "class", "classes", "picture"),
        (("²", "³"), "class", "classes", "picture"),
    ],
)
def test_what_the_classes_are_follows_from_their_names(
    names: tuple[str, ...], kind: str, kinds: str, shown: str
) -> None:
    assert (wording.kind(names), wording.kinds(names), wording.shown(names)) == (kind, kinds, shown)


def test_one_of_a_class_has_the_article_that_is_spoken() -> None:
    assert [wording.a(name) for name in ("7", "8", "F", "u", "Ankle boot")] == [
        "a 7",
        "an 8",
        "an F",
        "a u",
        "Ankle boot",
    ]


def test_a_writer_meant_a_character_and_a_picture_is_labelled() -> None:
    assert wording.label(DIGITS, 7) == "the writer meant 7"
    assert wording.label(CLOTHES, 7) == "labelled Sneaker"
    assert wording.label(CLOTHES, None) == ""


def test_a_page_of_another_kind_does_not_speak_of_digits() -> None:
    for names in (CLOTHES, LETTERS):
        told = wording.title(names), wording.welcome(names, draws=True), wording.wanted(names)
        assert "digit" not in " ".join(told)
    assert wording.title(DIGITS) == "Draw a digit"
    assert "**Rebuild**" not in wording.welcome(DIGITS, draws=False)
