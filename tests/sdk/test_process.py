"""A bot's process on the kit, against a scripted referee over real gRPC."""

import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

import grpc
import pytest

from arena.referee.faults import Reason
from arena.referee.messages import Reject
from arena.rules.cards import Card
from arena.v1 import play_pb2
from arena.wire import to_bot
from tests.sdk.positions import asked, card_of, match_of, started
from tests.sdk.scripted import PATIENCE_S, TOKEN, Outcome, Script, StreamEnded, Talk, run_bot

FIRST_LEGAL = "return view.legal[0]"
both_ways = pytest.mark.parametrize("over_tcp", [False, True], ids=["unix", "tcp"])
"""To a referee on this machine, and to one elsewhere."""


def write_bot(folder: Path, play: str, *, head: str = "") -> Path:
    """Write a bot with this body of ``play`` and these lines in its class."""
    file = folder / "mybot.py"
    lines = [
        "from arena.sdk import Bot, Card, View",
        "class MyBot(Bot):",
        *(f"    {line}" for line in head.splitlines()),
        "    def play(self, view: View) -> Card:",
        *(f"        {line}" for line in play.splitlines()),
        "MyBot().run()",
    ]
    file.write_text("\n".join(lines))
    return file


def run(
    folder: Path,
    script: Script,
    play: str = FIRST_LEGAL,
    *,
    head: str = "",
    environment: Mapping[str, str] | None = None,
    over_tcp: bool = False,
) -> Outcome:
    """Run such a bot against a script."""
    file = write_bot(folder, play, head=head)
    command = [sys.executable, str(file)]
    return run_bot(command, script, folder, environment, over_tcp=over_tcp)


def run_alone(folder: Path, environment: Mapping[str, str], play: str = FIRST_LEGAL) -> Outcome:
    """Run such a bot without any referee."""
    ended = subprocess.run(
        [sys.executable, str(write_bot(folder, play))],
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    return Outcome(status=ended.returncode, stdout=ended.stdout, stderr=ended.stderr)


@both_ways
def test_a_match_from_join_to_goodbye(tmp_path: Path, *, over_tcp: bool) -> None:
    def script(talk: Talk) -> None:
        join = talk.open()
        assert (join.protocol_version, join.token, join.name) == (1, TOKEN, "MyBot")
        talk.start(started())
        match = match_of()
        for number in (1, 2, 3):
            talk.say(asked(match, decision_id=number))
            (answer,) = talk.hear_answers()
            assert answer.decision_id == number
            assert card_of(answer) == match.deal.legal_cards()[0]
        talk.close()

    assert run(tmp_path, script, over_tcp=over_tcp) == Outcome(status=0, stdout="", stderr="")


def test_print_goes_to_stderr(tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        talk.hear_answers()
        talk.close()

    outcome = run(tmp_path, script, 'print("I lead", view.legal[0])\n' + FIRST_LEGAL)
    assert outcome.stdout == ""
    assert outcome.stderr == f"I lead {match_of().deal.legal_cards()[0]}\n"


def test_a_late_answer_is_reported_and_the_match_goes_on(tmp_path: Path) -> None:
    stale = Reject(seat=0, number=1, reason=Reason.STALE, message="decision 1 was over")

    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of(), decision_id=1, limit_ms=1))
        talk.hear_answers()
        talk.say(to_bot.rejected(1, 1, stale), asked(match_of(), decision_id=2))
        (answer,) = talk.hear_answers()
        assert answer.decision_id == 2
        talk.close()

    outcome = run(tmp_path, script)
    assert outcome.status == 0
    assert outcome.stderr == "arena.sdk: the referee refused: decision 1 was over\n"


def test_a_refused_card_is_answered_again(tmp_path: Path) -> None:
    legal = match_of().deal.legal_cards()
    refused = Reject(
        seat=0, number=1, reason=Reason.CARD_NOT_HELD, message="not held", allowed=legal
    )

    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        (answer,) = talk.hear_answers()
        assert card_of(answer) not in legal
        talk.say(to_bot.rejected(1, 1, refused))
        (answer,) = talk.hear_answers()
        assert card_of(answer) == legal[0]
        talk.close()

    assert run(tmp_path, script, "return view.unseen[0]").status == 0


@both_ways
def test_several_tables_are_played_in_one_session(tmp_path: Path, *, over_tcp: bool) -> None:
    def script(talk: Talk) -> None:
        assert talk.open().capacity == 3
        talk.start(*(started(table=table) for table in (1, 2, 3)))
        talk.say(*(asked(match_of(), table=table, decision_id=table) for table in (3, 1, 2)))
        assert [answer.decision_id for answer in talk.hear_answers()] == [3, 1, 2]
        talk.close()

    assert run(tmp_path, script, head="capacity = 3", over_tcp=over_tcp).status == 0


@both_ways
def test_reading_goes_on_while_the_bot_computes(tmp_path: Path, *, over_tcp: bool) -> None:
    """What comes meanwhile is answered together, and has less time by what it waited."""
    think = """
def play_many(self, views):
    first = views[0].message.decision_id == 1
    if first:
        self.begun.write_text("thinking")
        self.go_on.read_text()
    print([view.message.decision_id for view in views], views[0].time_left() < 8, flush=True)
    return [view.legal[0] for view in views]
"""
    begun, go_on = tmp_path / "begun", tmp_path / "go on"
    os.mkfifo(begun)
    os.mkfifo(go_on)

    def script(talk: Talk) -> None:
        talk.open()
        talk.start(*(started(table=table) for table in (1, 2, 3)))
        talk.say(asked(match_of(), table=1, decision_id=1, limit_ms=9000))
        begun.read_text()
        talk.say(asked(match_of(), table=2, decision_id=2, limit_ms=9000))
        talk.say(asked(match_of(), table=3, decision_id=3, limit_ms=9000))
        threading.Timer(1.5, go_on.write_text, ("go on",)).start()
        assert [answer.decision_id for answer in talk.hear_answers()] == [1]
        assert [answer.decision_id for answer in talk.hear_answers()] == [2, 3]
        talk.close()

    paths = f"begun, go_on = Path({str(begun)!r}), Path({str(go_on)!r})"
    head = f"capacity = 3\nfrom pathlib import Path\n{paths}\n{think}"
    outcome = run(tmp_path, script, head=head, over_tcp=over_tcp)
    assert outcome.status == 0
    assert outcome.stderr.splitlines() == ["[1] True", "[2, 3] True"]


@both_ways
def test_a_bot_of_several_tables_ends_with_the_stream(tmp_path: Path, *, over_tcp: bool) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        raise StreamEnded(grpc.StatusCode.ABORTED, "the table is gone")

    outcome = run(tmp_path, script, head="capacity = 2", over_tcp=over_tcp)
    assert outcome.status == 1
    assert outcome.stderr.endswith("the stream ended with ABORTED: the table is gone\n")


@both_ways
def test_a_bot_of_several_tables_that_raises_or_exits_ends_so(
    tmp_path: Path, *, over_tcp: bool
) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        talk.hear_the_end()

    (tmp_path / "raises").mkdir()
    raising = run(
        tmp_path / "raises", script, "return view.legal[99]", head="capacity = 2", over_tcp=over_tcp
    )
    assert raising.status == 1
    assert "MyBot raised IndexError" in raising.stderr.splitlines()[-1]
    exiting = run(tmp_path, script, "raise SystemExit(7)", head="capacity = 2", over_tcp=over_tcp)
    assert exiting.status == 7


def test_options_arrive_typed(tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        (answer,) = talk.hear_answers()
        assert card_of(answer) == match_of().deal.legal_cards()[2]
        talk.close()

    play = 'return view.legal[self.option("place", 0)]'
    assert run(tmp_path, script, play, environment={"ARENA_OPTION_PLACE": "2"}).status == 0


def test_a_wrong_option_exits_2_and_says_what_was_expected(tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        talk.hear_the_end()

    play = 'return view.legal[self.option("place", 0)]'
    outcome = run(tmp_path, script, play, environment={"ARENA_OPTION_PLACE": "two"})
    assert outcome.status == 2
    assert outcome.stderr == "arena.sdk: option place = 'two': int was expected\n"


def test_a_bot_that_raises_exits_1_with_its_traceback_and_the_decision(tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        talk.hear_the_end()

    outcome = run(tmp_path, script, "return view.legal[99]")
    assert outcome.status == 1
    assert "mybot.py" in outcome.stderr
    *_, last = outcome.stderr.splitlines()
    assert last.startswith("arena.sdk: MyBot raised IndexError: tuple index out of range (deal 1,")
    assert "legal " in last
    files = [line for line in outcome.stderr.splitlines() if line.startswith("  File ")]
    assert len(files) == 1, "the way to it through the kit is told too"


def test_a_bot_without_play_is_told_in_one_line(tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        talk.hear_the_end()

    file = tmp_path / "mybot.py"
    file.write_text("from arena.sdk import Bot\nclass MyBot(Bot):\n    pass\nMyBot().run()\n")
    outcome = run_bot([sys.executable, str(file)], script, tmp_path, None, over_tcp=False)
    assert outcome.status == 1
    [line] = outcome.stderr.splitlines()
    assert "MyBot: override play(view) or play_many(views)" in line


def test_an_exit_of_the_bot_is_its_own(tmp_path: Path) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        talk.hear_the_end()

    assert run(tmp_path, script, "raise SystemExit(7)").status == 7


@both_ways
def test_a_refused_version_exits_1_with_the_referees_words(
    tmp_path: Path, *, over_tcp: bool
) -> None:
    def script(talk: Talk) -> None:
        talk.hear()
        raise StreamEnded(grpc.StatusCode.FAILED_PRECONDITION, "version 1, this referee speaks 2")

    outcome = run(tmp_path, script, over_tcp=over_tcp)
    assert outcome.status == 1
    assert outcome.stderr.endswith(
        "the stream ended with FAILED_PRECONDITION: version 1, this referee speaks 2\n"
    )


@both_ways
def test_a_stream_that_ends_without_goodbye_exits_1(tmp_path: Path, *, over_tcp: bool) -> None:
    def script(talk: Talk) -> None:
        talk.open()

    outcome = run(tmp_path, script, over_tcp=over_tcp)
    assert outcome.status == 1
    assert outcome.stderr.endswith("the referee closed the stream without Goodbye\n")


@both_ways
def test_a_stream_that_breaks_while_the_bot_thinks_exits_1(
    tmp_path: Path, *, over_tcp: bool
) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.start(started())
        talk.say(asked(match_of()))
        raise StreamEnded(grpc.StatusCode.ABORTED, "the table is gone")

    outcome = run(
        tmp_path, script, "import time; time.sleep(0.2)\n" + FIRST_LEGAL, over_tcp=over_tcp
    )
    assert outcome.status == 1
    # Which of the two is said depends on whether the end was read before the answer went out.
    told = ("ABORTED: the table is gone", "the stream was over when the bot answered")
    assert any(words in outcome.stderr for words in told)
    assert "Traceback" not in outcome.stderr


@both_ways
def test_goodbye_ends_a_bot_whose_referee_does_not_end_the_stream(
    tmp_path: Path, *, over_tcp: bool
) -> None:
    def script(talk: Talk) -> None:
        talk.open()
        talk.say(play_pb2.RefereeMessage(goodbye=play_pb2.Goodbye()))
        talk.hear_the_end()

    assert run(tmp_path, script, over_tcp=over_tcp).status == 0


def test_no_referee_at_the_address_exits_1(tmp_path: Path) -> None:
    address = f"unix:{tmp_path}/nobody.sock"
    outcome = run_alone(tmp_path, {"ARENA_ADDRESS": address, "ARENA_TOKEN": TOKEN})
    assert outcome.status == 1
    assert f"arena.sdk: {address}: the stream ended with UNAVAILABLE" in outcome.stderr
    assert "Traceback" not in outcome.stderr


@pytest.mark.parametrize(
    ("environment", "missing"),
    [({}, "ARENA_ADDRESS"), ({"ARENA_ADDRESS": "unix:/x"}, "ARENA_TOKEN")],
)
def test_a_bot_started_by_hand_says_how_to_play(
    tmp_path: Path, environment: Mapping[str, str], missing: str
) -> None:
    outcome = run_alone(tmp_path, environment)
    assert outcome.status == 2
    assert outcome.stderr == (
        f"arena.sdk: {missing} is not set: the arena sets it when it starts a bot, but for one "
        'whose bot.toml has protocol = "lines": this kit speaks gRPC. '
        f"To play a match: arena match {tmp_path}, or python mybot.py --demo\n"
    )


def test_the_kit_loads_only_what_every_bot_needs() -> None:
    heavy = ["arena.referee", "arena.rules.ruleset", "arena.rules.match", "arena.wire"]
    heavy += ["trio", "outcome", "numpy", "msgspec", "structlog", "sqlalchemy", "rich", "typer"]
    code = f"import arena.sdk, sys; print([name for name in {heavy} if name in sys.modules])"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE_S, check=True
    )
    assert ended.stdout == "[]\n"


def test_the_names_of_the_kit_are_all_there() -> None:
    import arena.sdk  # noqa: PLC0415 - what is looked at is the module

    assert {name for name in arena.sdk.__all__ if not hasattr(arena.sdk, name)} == set()
    assert arena.sdk.Card is Card
    with pytest.raises(AttributeError, match="has no attribute 'Player'"):
        getattr(arena.sdk, "Player")  # noqa: B009 - mypy would refuse the plain form
