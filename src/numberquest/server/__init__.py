"""The web server: the page, the API, live matches and where they are kept. `serve.py` starts it."""
