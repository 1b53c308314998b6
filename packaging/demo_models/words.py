"""The words everything is written with: animals, places, things, colours, names and numbers."""

from random import Random

from dialogue import held_out

ANIMALS = (
    "cat dog fox owl hare bear wolf mouse otter heron horse goat sheep crow duck frog bee whale seal hedgehog "
    "badger squirrel swan turtle"
).split()
FRUITS = "apple pear plum cherry peach lemon orange banana grape melon fig mango".split()
VEGETABLES = "carrot potato onion tomato cabbage pea bean leek pumpkin spinach pepper radish".split()
COLOURS = "red blue green yellow orange purple pink brown black white grey gold silver teal".split()
INSTRUMENTS = "piano violin flute drum guitar harp trumpet cello organ horn".split()
TOOLS = "hammer saw drill rope ladder brush spade needle lamp wrench".split()
TREES = "oak pine birch willow maple elm beech ash cedar lime".split()
DRINKS = "tea coffee water milk juice cocoa lemonade cider".split()
CLOTHES = "hat coat scarf shirt boots gloves socks belt jacket dress".split()
SPORTS = "tennis football swimming rowing chess running cycling skating climbing golf".split()
WEATHER = "rain snow wind fog sun thunder hail frost".split()
FURNITURE = "table chair bed shelf desk bench sofa stool cupboard mirror".split()
BREADS_AND_MORE = "bread cheese soup rice honey butter eggs noodles salad pie".split()
TOWNS = "Harbourgate Millbrook Ashford Windmere Oldbridge Larkhill Seaford Fernley Stonewell Greyport".split()
THINGS = (
    "key map lantern kite bell boat book box coin clock button letter compass ring basket blanket whistle "
    "bicycle telescope umbrella"
).split()

CATEGORIES: dict[str, list[str]] = {
    "animals": ANIMALS,
    "fruits": FRUITS,
    "vegetables": VEGETABLES,
    "colours": COLOURS,
    "instruments": INSTRUMENTS,
    "tools": TOOLS,
    "trees": TREES,
    "drinks": DRINKS,
    "clothes": CLOTHES,
    "sports": SPORTS,
    "foods": BREADS_AND_MORE,
    "things in a room": FURNITURE,
}

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
LETTERS = list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

KNOWN_NAMES = "Mira Tom Ada Ben Lena Noor Sam Ivo Clara Jonas Maya Felix Rosa Emil Nina Oscar Anna Leo Ruth Max".split()
_ONSETS = "B D F G H J K L M N P R S T V W Z Br Dr Gr Kr Tr Sh Th St".split()
_MIDDLES = "a e i o u ai ea ia o a e i".split()
_JOINTS = "l r n m d s v t k ll nn rr b z th nd".split()
_ENDINGS = "a o i en el is an ia us on ey in as or".split()

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int) -> str:
    """A number from 0 to 100 as English writes it."""
    if number < 20:
        return _SMALL[number]
    if number == 100:
        return "one hundred"
    tens, ones = divmod(number, 10)
    return _TENS[tens - 2] + (f"-{_SMALL[ones]}" if ones else "")


def made_up_name(rng: Random) -> str:
    """A name out of syllables; there are tens of thousands."""
    middle = rng.choice(_MIDDLES) + rng.choice(_JOINTS)
    if rng.random() < 0.25:
        middle += rng.choice("aeio") + rng.choice(_JOINTS)
    return rng.choice(_ONSETS) + middle + rng.choice(_ENDINGS)


def name(rng: Random) -> str:
    """Somebody's name, never one kept for the evaluation."""
    if rng.random() < 0.2:
        return rng.choice(KNOWN_NAMES)
    while held_out("name", found := made_up_name(rng)):
        pass
    return found


def new_name(rng: Random) -> str:
    """A name that the corpus never holds."""
    while not held_out("name", found := made_up_name(rng)) or found in KNOWN_NAMES:
        pass
    return found


def in_order(rng: Random, items: list[str], size: int) -> list[str]:
    """So many neighbours of a list that closes to a ring, mostly from its beginning: never one twice."""
    start = 0 if rng.random() < 0.5 else rng.randrange(len(items))
    return (items[start:] + items[:start])[:size]


def a(noun: str) -> str:
    """The noun with its indefinite article."""
    return f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun}"


def joined(items: list[str]) -> str:
    """Items as a sentence lists them: one, two and three."""
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
