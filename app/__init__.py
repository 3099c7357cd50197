"""CapsNet Explorer: the Streamlit app on top of the capsnet library."""
