"""The one place that names session state, query parameters and caches.

The current input is a drawing, a sample or an uploaded picture. It is kept per visitor, shared by
all views, survives moving between them, and is in the link (an upload is not: it stays here).
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from app import links, state_link, state_network
from app.drawing import Drawing, taken
from app.inputs import Input, Kind, Step
from app.pictures import Ready, Upload, read_upload
from capsnet.preprocess import DrawingError, stroke_steps
from capsnet.preprocessing.drawing import BOX, SIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.inputs import Floats
    from app.links import Stroke
    from app.samples import Samples

    Strokes = list[Stroke]

# Session keys; no other module spells them.
_KIND, _SAMPLE, _DRAWING, _UPLOAD = "input_kind", "input_sample", "input_drawing", "input_upload"
_REVISION, _BEFORE, _PROBLEM = "input_revision", "input_before_upload", "upload_problem"
_UPLOADER = "uploader"
_LINK = "link_of_drawing"  # its text, and how far that strays from what was drawn
# Query parameters of the input; views may add their own.
_Q_SAMPLE, _Q_STROKES = "sample", "strokes"

STRAYS_UNSEEN = 4  # units of the pad: 2 pixels at most, far within the width of the pen


# --- the samples ------------------------------------------------------------------------------


def shelf() -> Samples:
    """The samples to look at through this visitor's network; it may have none."""
    return state_network.network().samples


def _sample_chosen() -> int:
    """Test index of the sample last chosen from this shelf, or the one that it opens with."""
    net = state_network.network()
    index = _samples_chosen().get(net.test_set, net.samples.opening)
    return net.samples.opening if net.samples.place(index) is None else index


def _samples_chosen() -> dict[str, int]:
    """The sample chosen last from each test set: networks of another one leave it alone."""
    return st.session_state.get(_SAMPLE, {})


def _choose_sample(index: int) -> None:
    """Look at a sample of this shelf from now on."""
    st.session_state[_KIND] = "sample"
    st.session_state[_SAMPLE] = {**_samples_chosen(), state_network.network().test_set: index}


# --- the current input ------------------------------------------------------------------------


def current_input() -> Input:
    """What this visitor is looking at."""
    kind = _kind()
    if kind == "strokes":
        strokes = drawing().strokes
        image, scaled, centred = _rasterise(links.pack(strokes), strokes)
        steps = (
            Step("As drawn", strokes, links.GRID),
            Step("Scaled", scaled, BOX),
            Step("Centred", centred, SIDE),
        )
        return Input(kind, image, "your drawing", strokes=strokes, steps=steps if centred else ())
    if kind == "upload":
        upload: Upload = st.session_state[_UPLOAD]
        net = state_network.network()
        ready = upload.ready(net.names, net.samples)
        return Input(kind, ready.image, upload.name, steps=ready.steps)
    return sample_input(_sample_chosen())


def _kind() -> Kind:
    """What is looked at; where that is a sample and the network has none, the pad."""
    kind: Kind = st.session_state.get(_KIND, "sample")
    return "strokes" if kind == "sample" and not len(shelf().indices) else kind


def sample_input(index: int) -> Input:
    """The input that a sample on the shelf is."""
    net = state_network.network()
    place = net.samples.place(index)
    image = net.samples.images[place].astype(np.float32)[None, None] / np.float32(255)
    label = int(net.samples.labels[place])
    return Input("sample", image, f"{net.test_set} test image {index}", label, sample=index)


@st.cache_data(max_entries=512, show_spinner=False)
def _rasterise(packed: bytes, _strokes: Sequence[Stroke]) -> tuple[Floats, Strokes, Strokes]:
    """The 28 × 28 image of strokes, and the strokes scaled and centred; blank where none are.

    Their name in the cache is `packed`.
    """
    try:
        steps = stroke_steps(_strokes)
    except DrawingError:
        return np.zeros((1, 1, SIDE, SIDE), dtype=np.float32), [], []
    scaled, centred = (
        [stroke.round(2).tolist() for stroke in moved] for moved in (steps.scaled, steps.centred)
    )
    return steps.image.numpy(), scaled, centred


def set_sample(index: int) -> None:
    """Look at a sample, named by its index in the test set; the drawing is kept."""
    _choose_sample(index)
    _settle()


def look_at(given: Input) -> None:
    """Look again at what was looked at before, maybe through another network."""
    if given.sample is not None and _is_on_shelf(given):
        set_sample(given.sample)
    elif given.kind == "strokes":
        _draw(given.strokes)
        st.session_state[_KIND] = "strokes"
        _settle()
    else:
        ready = Ready(given.image, tuple(given.steps))
        st.session_state[_UPLOAD] = Upload(given.title, ready, ready)
        look_at_upload()


def _is_on_shelf(given: Input) -> bool:
    """Whether a sample is one of this network's, not another's of the same number."""
    if given.sample is None or shelf().place(given.sample) is None:
        return False
    return sample_input(given.sample).key == given.key


def take_drawing(sent: Any) -> None:
    """Look at what the pad sent; where it is no drawing, say so and leave all else as it is.

    The link is made when the pen is lifted (`finished` in the message).
    """
    try:
        value = taken(sent)
    except DrawingError as error:
        st.session_state[_DRAWING] = replace(drawing(), problem=str(error))
        return
    st.session_state[_KIND], st.session_state[_DRAWING] = "strokes", value
    if sent.get("finished", True):
        _settle()


def drawing() -> Drawing:
    """The pad's drawing with its history, kept whatever else is looked at."""
    return st.session_state.get(_DRAWING, Drawing())


def drawing_revision() -> int:
    """Rises when the drawing changed by other means than the pad."""
    return st.session_state.get(_REVISION, 0)


def _draw(strokes: Sequence[Stroke]) -> None:
    """Put strokes on the pad, as a step of its history."""
    st.session_state[_DRAWING] = drawing().went_to(strokes)
    st.session_state[_REVISION] = drawing_revision() + 1


def drawing_note() -> str:
    """What the visitor should know about the drawing, beyond what the pad shows; mostly empty."""
    _, strays = st.session_state[_LINK]
    simplified = "The link to it holds a simplified copy." if strays > STRAYS_UNSEEN else ""
    return drawing().problem or simplified


def set_upload(data: bytes, name: str) -> None:
    """Look at an uploaded picture; if it cannot be used, `upload_problem` says why."""
    try:
        upload = read_upload(data, name, state_network.network().names)
    except DrawingError as error:
        st.session_state[_PROBLEM] = str(error)
        empty_uploader()
        return
    st.session_state[_UPLOAD] = upload
    look_at_upload()


def look_at_upload() -> None:
    """Look at the uploaded picture, now or again."""
    if st.session_state[_KIND] != "upload":
        st.session_state[_BEFORE] = st.session_state[_KIND]
    st.session_state[_KIND] = "upload"
    _settle()


def forget_upload() -> None:
    """Drop the uploaded picture; if it was looked at, look at what was looked at before."""
    st.session_state.pop(_PROBLEM, None)
    st.session_state.pop(_UPLOAD, None)
    if st.session_state[_KIND] == "upload":
        st.session_state[_KIND] = st.session_state[_BEFORE]
        _settle()


def upload_name() -> str | None:
    """What the uploaded picture is called, whether it is looked at or not; None without one."""
    upload: Upload | None = st.session_state.get(_UPLOAD)
    return upload.name if upload else None


def uploader_key() -> str:
    """The key of the uploader, which is another one after `empty_uploader`."""
    return f"{_UPLOADER}_{st.session_state.get(_UPLOADER, 0)}"


def empty_uploader() -> None:
    """Let the uploader hold no file any more."""
    st.session_state[_UPLOADER] = st.session_state.get(_UPLOADER, 0) + 1


def upload_problem() -> str | None:
    """Why the last upload cannot be used, until another input is chosen."""
    return st.session_state.get(_PROBLEM)


# --- the link ---------------------------------------------------------------------------------


def open_link() -> None:
    """At the start of each run: take the input from the link, then keep the whole link true.

    The link is followed when the visitor arrives, and where the browser's Back or Forward led to
    an earlier one. `state_network.open_link` comes first: samples are those of the network.
    """
    if _KIND not in st.session_state:
        st.session_state[_KIND] = "sample"
        try:
            _follow_link()
        except links.LinkError as error:
            instead = "a sample" if len(shelf().indices) else "the empty pad"
            state_link.add_note(f"{error} Here is {instead} instead.")
    elif state_link.went_back():
        with contextlib.suppress(links.LinkError):
            _follow_link()
    _write_link(**state_network.in_link())


def _follow_link() -> None:
    """Set the input that the query parameters name: a sample, a drawing, or one over the other.

    Raises:
        LinkError: They name what there is not.
    """
    text, sample = (st.query_params.get(name) for name in (_Q_STROKES, _Q_SAMPLE))
    if sample is not None:
        if sample not in map(str, shelf().indices):
            raise links.LinkError("This link names a sample that is not on the shelf.")
        _choose_sample(int(sample))
    if text is not None:
        if text != st.session_state.get(_LINK, ("", 0))[0]:
            _draw(links.decode(text))
        if sample is None:
            st.session_state[_KIND] = "strokes"


def _settle() -> None:
    """After the input changed: drop what was said about the last one, write the link."""
    st.session_state.pop(_PROBLEM, None)
    state_link.drop_note()
    _write_link()


def _write_link(**others: str) -> None:
    """Make the query parameters name the current input, and say what `others` say, in one step.

    Those of the views are left alone. A drawing is named under a sample or an upload too, so that
    reloading the page keeps it.
    """
    strokes = drawing().strokes
    text, _ = st.session_state[_LINK] = _shorten(links.pack(strokes), strokes)
    state_link.say(
        {
            _Q_STROKES: text if strokes or st.session_state[_KIND] == "strokes" else "",
            _Q_SAMPLE: str(_sample_chosen()) if _kind() == "sample" else "",
            **others,
        }
    )


@st.cache_data(max_entries=512, show_spinner=False)
def _shorten(packed: bytes, _strokes: Sequence[Stroke]) -> tuple[str, float]:
    """What `links.shorten` makes of strokes, whose name in the cache is `packed`."""
    return links.shorten(_strokes)
