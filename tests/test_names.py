"""One word for one thing: whoever looks for a class or a file by its name finds it, and not three of them."""

from benchmarks.size import repeated_names


def test_no_class_and_no_file_is_called_like_two_others() -> None:
    assert repeated_names() == {"file stems": [], "classes": []}
