"""The page without a server: the server's own hub in a worker of the page (`host`), and the files it is made of."""
