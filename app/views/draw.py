"""Draw: a pad, samples or a picture on one side, what the network makes of it on the other."""

import streamlit as st

from app import gate, pictures, state, state_link, state_network, wording
from app.components.pad import pad
from app.components.paste import paste
from app.components.reading import reading
from app.components.shelf import shelf


@st.fragment
def desk() -> None:
    """Everything that changes with the input; reruns alone."""
    if state_link.note_dropped():
        st.rerun()
    given, net = state.current_input(), state_network.network()
    answer = state_network.reading(given)
    left, right = st.columns([5, 8], gap="large")
    with right:  # first, so that the verdict is on its way before the pad's echo
        reading(given, answer)
        st.page_link("views/route.py", label="**Watch its parts vote →**")
    with left:
        pad(
            state.drawing(),
            state.drawing_revision(),
            given,
            net.names,
            "nothing drawn yet" if given.blank else answer.words,
            state.drawing_note(),
            state.take_drawing,
        )
        if not wording.written(net.names):
            st.caption(wording.no_pen(net.test_set))
    st.subheader("Or take one of these", anchor=False)
    if len(net.samples.indices):
        shelf(
            net.samples,
            net.test_set,
            net.names,
            state_network.shelf_verdicts(net),
            given.sample,
            on_chosen=state.set_sample,
        )
    else:
        st.caption(wording.no_samples(net.path.name))
    st.subheader("Or a picture of your own", anchor=False)
    picture(answer.words if given.kind == "upload" else "")


def picture(words: str) -> None:
    """Take a picture; it stays in this session and is not kept. `words` say what it reads as."""
    left, right = st.columns(2, gap="large")
    with left:
        st.file_uploader(
            wording.wanted(state_network.network().names),
            type="image",
            key=state.uploader_key(),
            on_change=take_upload,
        )
    with right:
        paste(on_picture=take_pasted)
        if problem := state.upload_problem():
            st.warning(pictures.plain(problem))
        if name := pictures.plain(state.upload_name() or ""):
            with st.container(horizontal=True, vertical_alignment="center", key="uploaded"):
                if words:
                    st.markdown(f"{name}: {words}", width="content")
                else:
                    st.button(f"Back to {name}", on_click=state.look_at_upload)
                st.button("Remove the picture", on_click=remove_upload)


def take_upload() -> None:
    """Make the uploaded file the input, or forget it where it was removed.

    It is removed for a moment, too, when another takes its place: the uploader must stay the same.
    """
    file = st.session_state[state.uploader_key()]
    if file is None:
        state.forget_upload()
    else:
        state.set_upload(file.getvalue(), file.name)


def remove_upload() -> None:
    """Forget the picture, however it came."""
    state.empty_uploader()
    state.forget_upload()


def take_pasted(data: bytes, name: str) -> None:
    """Make a pasted picture the input; what is wrong with it is told wherever the visitor looks."""
    state.empty_uploader()
    state.set_upload(data, name)
    if problem := state.upload_problem():
        st.toast(pictures.plain(problem))


net = state_network.network()
gate.head(wording.title(net.names))
st.caption(wording.welcome(net.names, draws=net.model.decoder is not None))
desk()
