"""The fields of the page: a name is cut where it is too long, and never within what is seen as one sign."""

import pytest

from numberquest.core.names import LONGEST_NAME, bad_name, one_way
from tests.core.test_names import PEOPLE
from tests.page.node import Node

FAMILY, TEACHER, FLAG = (
    "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466",
    "\U0001f469\u200d\U0001f3eb",
    "\U0001f1f5\U0001f1f1",
)
LETTER = "\u0915\u094d\u200d\u0937"


@pytest.mark.parametrize(
    "sign", [FAMILY, TEACHER, FLAG, LETTER, "\u1100\u1161\u11a8", "q\u0301", "e\u0301", "\U0001f642", "x"]
)
def test_a_name_that_is_too_long_is_cut_between_signs_and_fits_the_server_s_rule(sign: str, node: Node) -> None:
    for before in range(4):
        cut = node("return (await page('parts/fields.js')).fitting(name);", name="Ann"[:before] + sign * 40)
        signs, rest = divmod(len(cut) - before, len(sign))
        assert (rest, bad_name(cut)) == (0, None)
        assert len(one_way(cut)) <= LONGEST_NAME < len(one_way(cut + sign))
        assert cut == "Ann"[:before] + sign * signs


def test_a_name_that_fits_is_left_as_it_is(node: Node) -> None:
    names = ["", *PEOPLE]
    cut = "const { fitting } = await page('parts/fields.js'); return names.map(fitting);"
    assert node(cut, names=names) == names
