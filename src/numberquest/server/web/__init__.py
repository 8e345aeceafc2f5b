"""How people and programs reach the server: addresses, the API, live connections and the page."""
