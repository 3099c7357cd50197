"""The Route page as it was: what tests that share a page do before they start.

None of this waits for the server: what is chosen holds in the browser at once.
"""

import re

from playwright.sync_api import expect

REST = """
(range, iteration) => {
  range.getRootNode().activeElement?.blur();
  document.querySelector('[data-testid="stMain"]').scrollTo(0, 0);
  range.value = iteration;
  range.dispatchEvent(new Event("input", { bubbles: true }));
}
"""
PICK = """
(last, picked) => {
  for (const [name, value] of Object.entries(picked)) {
    last.getRootNode().querySelector(`[data-testid="pick-${name}"]`).value = value;
  }
  last.dispatchEvent(new Event("change"));
}
"""
GRID = 6


def opened(visit, link, **options):
    """A page that rests at the iteration of its link; `visit` may be `stay`."""
    page = visit(link, **options)
    iteration = re.search(r"iteration=(\d+)", link)[1]
    expect(page.get_by_test_id("iteration-words")).to_contain_text(f"Iteration {iteration}:")
    return page


def rest(page, iteration):
    """Let go of everything, scroll to the top and let the clock rest at an iteration."""
    page.mouse.move(0, 0)
    page.get_by_test_id("iteration").evaluate(REST, str(iteration))
    expect(page.get_by_test_id("iteration-words")).to_contain_text(f"Iteration {iteration}:")
    expect(page.get_by_test_id("play")).to_have_accessible_name("Play")


def click(page, name):
    """Click a button where it is: scrolling there would bring its panel into sight."""
    page.get_by_test_id(name).dispatch_event("click")


def press(page, name, pressed=True):
    """Press a switch, or let it go."""
    if page.get_by_test_id(name).get_attribute("aria-pressed") != str(pressed).lower():
        click(page, name)


def pick(page, capsule):
    """Open a primary capsule."""
    type_, place = divmod(capsule, GRID**2)
    row, column = divmod(place, GRID)
    picked = {"type": type_, "row": row, "column": column}
    page.get_by_test_id("pick-column").evaluate(PICK, picked)
