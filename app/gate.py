"""What every page does first: have a network, follow the link, or say what is wrong."""

from __future__ import annotations

from collections import Counter

import streamlit as st

from app import networks, samples, state, state_link, state_network
from capsnet.checkpoint import HOW_TO_MAKE, CheckpointError

_NETWORK = "network"


def open_page() -> None:
    """Load the network and the visitor's input; stop with an explanation if there is no network."""
    try:
        state_network.open_link()
    except CheckpointError as error:
        explain(str(error))
        st.stop()
    state.open_link()
    place = st.empty()  # always there: what follows keeps its place, and fragments their names
    problems = [f"Not offered: {_in_short(offer)}" for offer in networks.offers() if offer.problem]
    if messages := list(filter(None, [state_link.note(), *problems])):
        place.warning("\n\n".join(messages))


def _in_short(offer: networks.Offer) -> str:
    """What is wrong with one network among others: the first sentence, without the folder."""
    told = offer.problem.replace(str(offer.path), offer.path.name)
    return f"{told.split('. ')[0].removesuffix('.')}."


def head(title: str) -> None:
    """The page's title, beside it the choice of network where there is one."""
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="bottom"
    ):
        st.title(title, anchor=False, width="content")
        offered = [offer for offer in networks.offers() if not offer.problem]
        if len(offered) > 1:
            titles = {offer.name: offer.title for offer in offered}
            alike = Counter(titles.values())

            def called(name: str) -> str:
                title = titles[name]
                return title if alike[title] == 1 else f"{title}: {name}"

            st.session_state[_NETWORK] = state_network.network().name
            st.selectbox(
                "Network",
                titles,
                format_func=called,
                key=_NETWORK,
                on_change=lambda: state_network.choose(st.session_state[_NETWORK]),
                width=400,
            )


def foot() -> None:
    """The page's end: whose pictures it shows."""
    net = state_network.network()
    if words := samples.credit(net.samples, net.test_set):
        st.caption(words)


def explain(problem: str) -> None:
    """Say on the page what is wrong with the checkpoint and how to make one."""
    st.title("The network cannot be loaded")
    st.error(problem)
    st.write(f"The app looked for `{networks.checkpoint_path()}`. This command trains one:")
    st.code(HOW_TO_MAKE, language="bash")
    variable = networks.CHECKPOINT_VARIABLE
    st.caption(f"To show another file or folder, name it in the variable `{variable}`.")
