"""A class: a teacher, pupils at tables, and the questions that are put to all of them."""
