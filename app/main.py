"""CapsNet Explorer: page setup and navigation. Run with `streamlit run app/main.py`."""

from pathlib import Path

import streamlit as st

from app import gate

st.set_page_config(page_title="CapsNet Explorer", layout="wide")
st.html(Path(__file__).parent / "components" / "kit" / "page.css")
page = st.navigation(
    [
        st.Page("views/draw.py", title="Draw", default=True),
        st.Page("views/route.py", title="Route", url_path="route"),
        st.Page("views/rebuild.py", title="Rebuild", url_path="rebuild"),
    ],
    position="top",
)
gate.open_page()
page.run()
gate.foot()
