"""A page that is to be printed, taken apart."""

from html.parser import HTMLParser


class Page(HTMLParser):
    """What is in a page: its tags, its attributes and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: dict[str, str | None] = {}
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= dict(attrs)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def check_alone(self) -> None:
        """It is a whole page with a language and a title, and needs nothing from elsewhere."""
        assert self.open == []
        assert self.attributes["lang"] == "en"
        assert "title" in self.tags
        assert not {"script", "link", "img", "iframe", "object"} & set(self.tags)
        assert not {"src", "href", "onclick", "onerror"} & set(self.attributes)
        assert "url(" not in self.text
        assert "@import" not in self.text
