"""The games in other people's programs for language models: each has an extra, imported only where it is used."""
