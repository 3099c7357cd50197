"""The Route view's clock, moved without giving the server time to answer."""

SCRUB = """
async (range, { iteration, shown }) => {
  let sent = 0;
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...data) { sent += 1; return send.apply(this, data); };
  range.value = iteration;
  range.dispatchEvent(new Event("input", { bubbles: true }));
  const frame = () => new Promise((come) => requestAnimationFrame(come));
  await frame();
  await frame();
  WebSocket.prototype.send = send;
  const element = range.getRootNode().querySelector(`[data-testid="${shown}"]`);
  return [element.getAttribute("aria-label") ?? element.textContent, sent];
}
"""


def scrub(page, iteration, shown):
    """Scrub to an iteration; what the element `shown` says two frames later, sent messages."""
    page.get_by_test_id(shown).scroll_into_view_if_needed()
    page.wait_for_timeout(1500)  # what the page's own start had to send has been sent
    slider = page.get_by_role("slider", name="Iteration", exact=True)
    return slider.evaluate(SCRUB, {"iteration": iteration, "shown": shown})
