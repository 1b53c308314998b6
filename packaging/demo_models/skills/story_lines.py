"""The sentences that the little stories are put together from."""

HEROES = (
    "fox cat owl bear hare mouse otter heron hedgehog badger girl boy sailor baker painter gardener postman "
    "clockmaker shepherd fisherman"
).split()
PLACES = (
    "by the sea",
    "at the edge of a wood",
    "in a narrow valley",
    "in an old mill",
    "under a green hill",
    "in a town with many towers",
    "beside a slow river",
    "on a small island",
    "in a house with a blue door",
    "near a quiet harbour",
)
TREASURES = (
    "a silver key",
    "an old map",
    "a small brass bell",
    "a letter without a name",
    "a red kite",
    "a blue lantern",
    "a wooden flute",
    "a golden button",
    "a broken compass",
    "a box that hummed",
)

OPENINGS = (
    "[Once there was|There was once|Long ago there was] {a_hero} called {name} who lived {place}. [Every "
    "morning|Each evening] {name} [walked to the well|swept the doorstep|looked out at the clouds] and "
    "thought [of far countries|that something was missing].",
    "{name} was {a_hero} and lived {place}. {He} was [not very brave|small but curious|known for {his} "
    "patience], and {he} liked [warm bread|the sound of rain|old songs] more than anything.",
    "In the year of the great [snow|storm|harvest] {a_hero} named {name} lived {place}. [Nobody visited "
    "{him}|Many visited {him}], and {he} [did not mind|was glad of it].",
    "{name} the {hero} lived {place}, together with [three hens|an old clock|a hundred books]. [It was a "
    "good life|It was a quiet life], until [one day|one morning in {month}] [everything changed|a knock "
    "came at the door].",
)

FINDS = (
    "One [morning|evening] {name} found {thing} [under the stairs|in the grass|on the beach]. [It was "
    "cold to the touch|It was wet with dew], and when {he} lifted it, [it grew warm|it shone a little]. "
    "Nobody in the village knew whose it was.",
    "Then, on a [Monday|Thursday|Sunday] in {month}, {thing} [lay on the doorstep|came floating down the "
    "brook]. {name} [turned it over and over|put it on the table] and wondered who had [lost it|left it "
    "there].",
    'One night {name} dreamed of {thing}. In the dream a voice said: "[Bring it home|Carry it to the '
    'hills|Follow the river]." When {he} woke, it lay [beside the bed|on the window sill].',
)

EPISODES = (
    "So {name} packed [some bread and an apple|a coat and a candle] and went out into the {weather}. The "
    "road was [long|white with dust|soft with leaves], and at every corner {he} stopped to [listen|look "
    "back|rest].",
    'At the bridge stood {friend} the {second}. "Where are you going?" asked {friend}. "I do not know '
    'yet," said {name}, "but I have {thing}, and it wants to go somewhere." "Then I will come with you," '
    "said {friend}.",
    "They came to a river without a bridge. [{friend} built a raft from branches|{friend} knew where the "
    "water was low], and they crossed while the fish looked on. On the other side the grass was "
    "[taller|of a darker green].",
    "In the wood it was dark. Something [cracked|whispered|rustled] behind the trees. {name} held {his} "
    "breath, but it was only [an old badger looking for mushrooms|a deer with her child|the wind in a "
    "hollow trunk].",
    "For three days it rained. They sat in a barn and told each other [stories|riddles|the names of all "
    "their uncles]. {friend} knew a song with forty verses, and {name} learned every one of them.",
    'An old woman at the market looked at {the_thing} for a long time. "I have seen this before," she '
    'said. "It belongs to the [keeper of the lighthouse|miller behind the hill|man who mends the '
    'clocks]." And she gave them a bag of [plums|nuts|pears] for the way.',
    'The hill was steeper than it looked. Halfway up {name} wanted to turn back. "Only to the next '
    'stone," said {friend}, and then again, "only to the next stone," until they stood at the top.',
    "From there they saw [the whole country|the sea for the first time|a hundred chimneys]. Smoke rose, "
    "bells rang, and far away something [glittered|moved]. {name} said nothing for a while.",
    "At night they slept under [a cart|an oak|the open sky]. The stars were so many that {friend} began "
    "to count them and fell asleep at [forty|ninety|two hundred]. {name} lay awake and thought of home.",
    "A [crow|gull|magpie] flew down and took {the_thing}. {name} ran after it through [a field of "
    "barley|the whole village], over two walls and a fence, and got it back for half a "
    "[cake|sausage|loaf].",
    "They met a boy who could not find his goat. They looked behind [the church|the mill] and in the "
    "ditch, and found it at last [on a roof|in the school|in a boat], eating somebody's hat.",
    "In the next town nobody spoke. [The people had sold their voices for gold|They had all lost a bet], "
    "said a sign. So {name} and {friend} spoke with their hands, and it was the most peaceful lunch of "
    "the journey.",
    'The ferryman wanted a coin, but they had none. "Then pay with a story," he said. So {name} told of '
    "{the_thing}, and the ferryman [forgot to row|laughed so hard that the boat shook|rowed twice as "
    "slowly to hear the end].",
    "It grew cold. Ice lay on the puddles, and the {weather} bit their ears. {friend} gave {name} one of "
    "two scarves, and from then on they were friends for good.",
    "One morning {friend} was gone. {name} called and searched and sat down sadly on a stone. But at noon "
    "{friend} came back with [warm milk|two fish|a ladder], and there was no more talk of it.",
    "There was a door in the rock. It had no handle, only a hole of an odd shape. {name} held {the_thing} "
    "to it, and [something clicked|the rock began to hum]. Behind it stairs led down, and there was [a "
    "smell of oranges|a soft green light].",
    'Down there sat a giant who wept. "I have counted everything," said the giant, "and now there is '
    'nothing left to count." "You have not counted the rain," said {name}. So the giant dried his eyes '
    "and went out to begin.",
    "The lighthouse stood at the end of the land. Its lamp was dark. {name} climbed all the [ninety|two "
    "hundred] steps, cleaned the glass with {his} sleeve, and lit the wick. Far out a ship turned its bow "
    "and was safe.",
    'A letter came by pigeon. It said only: "[Not much further|You are nearly there|Take the left road]." '
    "{friend} thought it a trick, but {name} smiled and took the left road.",
    "In the garden behind the wall grew [glass flowers|trees with blue leaves|clocks instead of roses]. A "
    'gardener with a long beard gave them a seed each. "Plant it where you are happy," he said, "and '
    'wait."',
    "They came to a fair with lanterns and drums. {friend} won a race in a sack, and {name} lost {his} "
    "shoe in the dancing. Nobody slept that night, and in the morning everyone had a different hat.",
    "A storm came up from the west. The {second} and the {hero} hid in a chapel, where a hundred swallows "
    "sat on the beams. When the thunder stopped, all the birds flew out together like a dark ribbon.",
    "There they found an old train on rusty rails. {friend} pulled a lever, and it began to roll, past "
    "[wheat|ponds and willows], past stations without names, until the rails ended in the middle of a "
    "meadow.",
    "The baker of that village baked bread in the shape of [moons|letters|fish]. {name} helped him for a "
    "week, got up at four each morning, and learned that patience is also a kind of flour.",
    "On the ice of the lake somebody had written a word. They skated round it to read it. It said "
    '"[Listen|Wait|Home]," and when they listened, they heard the water singing below.',
    "A thief took their bag at the inn. But he found only crumbs, string and a drawing of a whale in it, "
    "and he was so ashamed that he brought it back and [cooked them soup|showed them a short way].",
)

ENDINGS = (
    "At last they came to the right house. An old man opened, saw {the_thing}, and [wept|laughed like a "
    'child]. "I lost it sixty years ago," he said. They stayed for supper, and in the spring {name} '
    "walked home with {friend}.",
    "And so {name} came home again. The door was still there, the kettle too, and {the_thing} got a place "
    "on the shelf. When it rains, {he} takes it down and tells {friend} the story from the beginning.",
    "In the end {name} gave {the_thing} away to [a child|somebody who needed it more], for it had done "
    "its work. {He} had gone out alone and come back with a friend.",
    "That is the story of {name} and {friend}. Some say they [still walk there|opened a small shop|sail a "
    "boat now]. If you see a light on the hill at night, wave to it.",
)
