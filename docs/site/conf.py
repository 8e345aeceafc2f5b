"""How Sphinx makes the site: `make docs`. Its source is the whole repository: links work as on a Git host."""

import re
import sys
from pathlib import Path

import numberquest

sys.path.insert(0, str(Path(__file__).parent))

project = "Number Quest"
author = "The Number Quest maintainers"
project_copyright = "The Number Quest maintainers. MIT licence"
version = release = numberquest.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "names", "navigation", "files", "told"]

root_doc = "docs/index"
include_patterns = [
    "docs/*.md",
    "docs/reference/*.md",
    "examples/*.md",
    "examples/**/*.md",
    "examples/notebooks/*.ipynb",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "SECURITY.md",
]
exclude_patterns = [".*", "build", "dist", "node_modules", "screenshots", "**/__pycache__", "**/.ipynb_checkpoints"]

# What a document says is no language is none.
highlight_language = "text"
myst_heading_anchors = 4
# What a notebook has shown is kept in its file, so that a Git host shows it too; a test runs it and compares.
nb_execution_mode = "off"
nb_merge_streams = True
nb_code_prompt_show = "Show how it is drawn"
nb_code_prompt_hide = "Hide it again"

autoclass_content = "both"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 110
# Docstrings are written for whoever reads the source: a word in single quotes of that kind is code.
default_role = "code"

# A public name that leads nowhere is a mistake. What is not public has no page, and other people's names are not looked
# up: that would need a network.
_public = "|".join(re.escape(name) for name in numberquest.__all__)
nitpick_ignore_regex = [(r"py:.*", rf"(?!numberquest\.(?:[\w.]+\.)?(?:{_public})$).*")]

html_theme = "furo"
html_title = "Number Quest"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_extra_path = ["top"]
html_favicon = html_logo = "../../src/numberquest/server/page/favicon.svg"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5cad", "color-brand-content": "#0b5cad"},
    "dark_css_variables": {"color-brand-primary": "#8cc4ff", "color-brand-content": "#8cc4ff"},
    "navigation_with_keys": True,
}
