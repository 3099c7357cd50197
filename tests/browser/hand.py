"""A hand that draws on the pad, and what can be seen of its drawing."""

import json
import re
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from app import links

STROKES = json.loads((Path(__file__).parents[1] / "data" / "pen_strokes.json").read_text())


def digit(label):
    """The first pen digit of that label, its strokes scaled into the unit square."""
    strokes = next(one["strokes"] for one in STROKES if one["label"] == label)
    points = [point for stroke in strokes for point in stroke]
    left, top = (min(p[k] for p in points) for k in (0, 1))
    size = max(max(p[k] for p in points) - low for k, low in ((0, left), (1, top)))
    return [[((x - left) / size, (y - top) / size) for x, y in stroke] for stroke in strokes]


def places(page, points):
    """The points of the page at these shares of the pad's width and height."""
    box = page.get_by_test_id("pad-canvas").bounding_box()
    return [(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in points]


def place(page, x, y):
    """The point of the page at these shares of the pad's width and height."""
    return places(page, [(x, y)])[0]


def move(page, points, steps=1):
    """Move the mouse through these points of the pad, in shares of its width and height."""
    for x, y in places(page, points):
        page.mouse.move(x, y, steps=steps)


def draw(page, strokes, scale=0.7, corner=0.15):
    """Draw strokes of the unit square with the mouse."""
    for stroke in strokes:
        points = [(corner + scale * x, corner + scale * y) for x, y in stroke]
        move(page, points[:1])
        page.mouse.down()
        move(page, points[1:])
        page.mouse.up()


def verdict(page):
    """The digit that the network reads."""
    return page.get_by_test_id("verdict-digit")


def linked(page, count):
    """The strokes in the page's address, once there are `count`."""

    def named():
        text = parse_qs(urlsplit(page.url).query).get("strokes")
        return links.decode(text[0]) if text else None

    for _ in range(300):
        if len(named() or []) == count:
            return named()
        page.wait_for_timeout(200)
    raise AssertionError(f"the link holds {named()}, not {count} strokes")


def open_drawn(visit, *labels, **options):
    """A page on which these digits were drawn one over the other, the last one read."""
    page = visit(**options)
    expect(verdict(page)).to_have_text(re.compile(r"\d"))
    for count, label in enumerate(labels):
        if count:
            page.get_by_test_id("pad-clear").click()
        draw(page, digit(label))
        expect(verdict(page)).to_have_text(str(label))
    return page
