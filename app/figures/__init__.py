"""Pure functions: arrays in, Plotly figure out; nothing here imports Streamlit."""
