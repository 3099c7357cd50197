"""Draw: a pad, samples or a picture on one side, what the network makes of it on the other."""

import streamlit as st

from app import state
from app.components.pad import pad
from app.components.reading import reading
from app.components.shelf import shelf

PICTURE_TYPES = ["png", "jpg", "jpeg", "webp", "bmp", "gif", "tiff"]


@st.fragment
def desk() -> None:
    """Everything that changes with the input; reruns alone."""
    if state.note_dropped():
        st.rerun()
    given = state.current_input()
    left, right = st.columns([5, 8], gap="large")
    with right:  # first, so that the verdict is on its way before the pad's echo
        reading(given, state.reading(given))
        st.page_link("views/route.py", label="**Watch its parts vote →**")
    with left:
        pad(state.drawing(), state.drawing_revision(), given, on_drawing=state.set_drawing)
    st.subheader("Or take one of these", anchor=False)
    shelf(state.shelf(), state.shelf_verdicts(), given.sample, on_chosen=state.set_sample)
    st.subheader("Or a picture of your own", anchor=False)
    upload()


def upload() -> None:
    """Take a picture file; it stays in this session and is not kept."""
    st.file_uploader(
        "One digit, dark on light or light on dark; a photo or a scan",
        type=PICTURE_TYPES,
        key="upload",
        on_change=take_upload,
    )
    if problem := state.upload_problem():
        st.warning(problem)


def take_upload() -> None:
    """Make the uploaded file the input, or forget it where it was removed."""
    file = st.session_state["upload"]
    if file is None:
        state.forget_upload()
    else:
        state.set_upload(file.getvalue(), file.name)


st.title("Draw a digit", anchor=False)
st.caption(
    "CapsNet Explorer: a capsule network reads your digit. Its capsules are small groups of "
    "neurons, and a digit's capsule is the longer the surer the digit is there. Draw, watch its "
    "parts vote in **Route**, take hold of what the network saw in **Rebuild**."
)
desk()
