"""Names for pupils who do not type their own."""

from typing import Final

from numberquest.core.stream import Stream

ANIMALS: Final = (
    *("Alpaca", "Ant", "Badger", "Bat", "Bear", "Beaver", "Bee", "Bison", "Butterfly", "Camel", "Cat"),
    *("Cheetah", "Cobra", "Crab", "Crane", "Deer", "Dolphin", "Dove", "Dragonfly", "Duck", "Eagle", "Elephant"),
    *("Falcon", "Ferret", "Finch", "Firefly", "Flamingo", "Fox", "Frog", "Gazelle", "Gecko", "Giraffe"),
    *("Goose", "Hamster", "Hare", "Hawk", "Hedgehog", "Heron", "Horse", "Jaguar", "Kangaroo", "Kingfisher"),
    *("Kiwi", "Koala", "Ladybird", "Lemur", "Lion", "Lizard", "Llama", "Lynx", "Marmot", "Mole", "Moose"),
    *("Mouse", "Newt", "Octopus", "Okapi", "Otter", "Owl", "Panda", "Parrot", "Penguin", "Pony", "Puffin"),
    *("Rabbit", "Raccoon", "Raven", "Robin", "Salmon", "Seal", "Shark", "Sparrow", "Squirrel", "Starling"),
    *("Stork", "Swan", "Tiger", "Toucan", "Turtle", "Walrus", "Whale", "Wolf", "Zebra"),
)


def animal(classroom: str, number: int) -> str:
    """What the pupil of that number is called in that class: each animal once before any comes again."""
    round_, place = divmod(number - 1, len(ANIMALS))
    name = Stream(classroom, "animals").shuffled(ANIMALS)[place]
    return f"{name} {round_ + 1}" if round_ else name
