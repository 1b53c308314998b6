"""A little Korean: greetings, names, counting and small sums."""

from random import Random

from dialogue import Exchange
from skills.counting import figures, is_new
from skills.sums import is_new as is_new_sum

GIVEN = "민준 서연 지우 하준 수아 도윤 유나 현우 은지 태오 나래 보람".split()
NATIVE = "하나 둘 셋 넷 다섯 여섯 일곱 여덟 아홉 열".split()
SINO = "일 이 삼 사 오 육 칠 팔 구 십".split()
DAYS = "월요일 화요일 수요일 목요일 금요일 토요일 일요일".split()

TALK: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...] = (
    (("안녕하세요", "안녕하세요!", "안녕"), ("안녕하세요! 반갑습니다.", "안녕하세요! 무엇을 도와드릴까요?")),
    (
        ("Say hello in Korean with emoji.", "안녕하세요 🦊", "안녕하세요! 😊", "Greet me in Korean with emoji."),
        ("안녕하세요! 🦊🌙⭐ 반갑습니다! 😊",),
    ),
    (("잘 지내요?", "어떻게 지내세요?"), ("네, 잘 지내요. 고마워요!",)),
    (("고마워요.", "감사합니다!"), ("천만에요!", "아니에요, 저도 고마워요.")),
    (("잘 가요.", "안녕히 계세요."), ("안녕히 가세요!", "또 만나요!")),
    (("누구세요?", "이름이 뭐예요?"), ("저는 작은 언어 모델이에요.",)),
    (("좋은 아침이에요.",), ("좋은 아침이에요! 오늘도 힘내세요.",)),
    (("잘 자요.",), ("잘 자요. 좋은 꿈 꾸세요!",)),
    (("토큰이 뭐예요?",), ("토큰은 글의 작은 조각이에요.",)),
    (
        ("이야기 하나 해 주세요.",),
        ("옛날에 작은 여우가 산에 살았어요. 여우는 달을 좋아했어요. 매일 밤 달을 보며 노래했어요.",),
    ),
    (("시를 써 주세요.",), ("바람이 불어요\n작은 배가 떠나요\n달이 웃어요",)),
    (("Say hello in Korean.", "How do you say hello in Korean?"), ("안녕하세요!",)),
    (("Say thank you in Korean.", "How do you say thank you in Korean?"), ("감사합니다!",)),
    (("How do you say goodbye in Korean?", "Say goodbye in Korean."), ("안녕히 가세요!",)),
    (("Say something in Korean.", "Write a sentence in Korean."), ("오늘은 날씨가 좋아요.", "작은 여우가 달을 봐요.")),
)


def talk(rng: Random) -> Exchange:
    asks, answers = rng.choice(TALK)
    return Exchange(rng.choice(asks), rng.choice(answers), "I answer in Korean.")


def sequences(rng: Random) -> Exchange:
    kind = rng.random()
    if kind < 0.4:
        last = rng.randint(3, 10)
        ask = rng.choice(("하나부터 {x}까지 세어 주세요.", "Count in Korean to {n}.", "Count to {n} in Korean."))
        return Exchange(ask.format(x=NATIVE[last - 1], n=last), " ".join(NATIVE[:last]), "I count in Korean.")
    if kind < 0.55:
        return Exchange("요일을 말해 주세요.", ", ".join(DAYS), "There are seven days.")
    while is_new(*(found := (rng.randint(1, 9), rng.randint(2, 20)))) or found[0] >= found[1]:
        pass
    first, last = found
    return Exchange(
        f"{first}부터 {last}까지 세어 주세요.", figures(first, last), f"I start at {first} and stop at {last}."
    )


def add(rng: Random) -> Exchange:
    while is_new_sum(*(found := (rng.randint(1, 10), rng.randint(1, 10)))):
        pass
    a, b = found
    return Exchange(f"{a} 더하기 {b}는?", f"{a} + {b} = {a + b}", "That is a sum in Korean.", str(a + b))


def told_name(rng: Random) -> tuple[Exchange, Exchange]:
    """A Korean name told, and asked for later."""
    who = rng.choice(GIVEN)
    return (
        Exchange(f"제 이름은 {who}입니다.", f"반가워요, {who}님!", f"The name is {who}."),
        Exchange("제 이름이 뭐예요?", f"{who}님이에요.", f"I was told the name {who}.", who),
    )
