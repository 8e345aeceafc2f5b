"""Play at a keyboard: prompts in the words of the games' documents, a menu, colours, saved games."""
