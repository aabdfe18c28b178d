"""An event with a bot that runs elsewhere, from its tokens to the standings."""

import re
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
import trustme

from arena.record.event_log import read_event_log
from arena.referee.events import SeatLost, SeatReturned
from arena.referee.faults import TerminationKind
from tests.cli.bots import HIGH, slow_bot, write_bot
from tests.cli.conftest import RunArena, StartArena
from tests.cli.logs import event_kinds, played_in, standings_of
from tests.cli.processes import Arena
from tests.cli.test_resources import accounts

EVENT = """name = "cup"
practice = true
seed = "elsewhere"
entrant = [{ bot = "./near" }, { bot = "remote", name = "far" }]
ruleset = { name = "gamelake-2" }
stage = [{ boards = 4, boards_per_match = 2, clock = { limit_ms = 20000, reconnect_ms = 30000 } }]
"""

Connect = Callable[..., Arena]


@pytest.fixture
def connect(start_arena: StartArena, home: Path, monkeypatch: pytest.MonkeyPatch) -> Connect:
    """Return a function that plays a slow bot elsewhere, with a token and more words."""
    slow_bot(home / "elsewhere", 0.02)

    def start(token: str, address: str, *words: str) -> Arena:
        monkeypatch.setenv("ARENA_TOKEN", token)
        command = ("python", home / "elsewhere" / "bot.py")
        return start_arena("connect", address, *words, "--", *command)

    return start


def address_of(serving: Arena) -> str:
    """Wait until the address is open, and return it."""
    found = re.search(r"remote bots join at (\S+);", serving.see("remote bots join at"))
    assert found is not None
    return found[1]


def cards_logged(folder: Path) -> int:
    """Count the cards that the logs under way hold."""
    return sum(
        path.read_bytes().count(b'"card_played"') for path in (folder / "logs").glob("*.jsonl")
    )


def test_a_bot_joins_plays_is_killed_comes_back_and_ends_in_the_standings(
    start_arena: StartArena, arena: RunArena, connect: Connect, home: Path, scratch: Path
) -> None:
    write_bot(home / "near", HIGH)
    (home / "cup.toml").write_text(EVENT)
    (token,) = arena("token", "cup.toml", "far").out.split()
    serving = start_arena("serve", "cup.toml")
    address = address_of(serving)
    serving.see("waiting for far, process 1")
    killed = connect(token, address)
    serving.until(lambda: cards_logged(home / "cup") > 5)
    killed.signal(signal.SIGKILL)
    killed.end()
    for left in scratch.glob("arena-connect-*"):
        shutil.rmtree(left)
    again = connect(token, address)
    ended = serving.end()
    assert ended.status == 0, ended.err
    assert "far" in ended.out
    said = again.end()
    assert said.status == 0, said.err
    assert "the referee said goodbye" in said.err
    assert token not in ended.out + ended.err + said.out + said.err
    check_record(home / "cup")
    verified = arena("verify", "cup")
    assert verified.status == 0, verified.err
    assert token not in "".join(
        path.read_text(errors="replace")
        for path in (home / "cup").rglob("*")
        if path.is_file() and path.name != "remote.tokens"
    )


def check_record(cup: Path) -> None:
    """Check what an event's folder says of a bot that was lost once and came back."""
    played = played_in(cup)
    assert {match.termination.kind for match in played} == {TerminationKind.COMPLETED}
    assert not [fault for match in played for fault in match.faults]
    events = [type(entry.event) for match in played for entry in match.record.records()]
    assert events.count(SeatLost) == events.count(SeatReturned) == 1
    assert set(standings_of(cup)) == {"near", "far"}
    (far,) = [account for account in accounts(cup) if account["entrant"] == "far"]
    assert sorted(far["matches"]) == sorted({match.record.header.match for match in played})
    assert far["answers"] >= 40
    assert (far["streams"], far["end"]) == (2, "goodbye")
    assert far["ready_us"] > 0
    assert far["bytes_out"] > far["bytes_in"] > 0
    assert "exit" not in far
    near = [account for account in accounts(cup) if account["entrant"] == "near"]
    assert {(account["streams"], account["end"]) for account in near} == {(1, "goodbye")}
    assert event_kinds(cup)[-1] == "event_closed", "each session is closed before the event"


def test_a_bot_that_leaves_is_accounted_for_with_how_it_went(
    start_arena: StartArena, arena: RunArena, connect: Connect, home: Path
) -> None:
    write_bot(home / "near", HIGH)
    write_bot(home / "elsewhere", "raise SystemExit('cannot go on')")
    (home / "cup.toml").write_text(EVENT)
    (token,) = arena("token", "cup.toml", "far").out.split()
    serving = start_arena("serve", "cup.toml")
    left = connect(token, address_of(serving)).end()
    assert left.status != 0
    assert "before the referee said goodbye" in left.err
    serving.until(lambda: (home / "cup" / "event.jsonl").read_text().count("session_closed") > 0)
    serving.signal(signal.SIGINT)
    serving.signal(signal.SIGINT)
    serving.end()
    (far,) = [account for account in accounts(home / "cup") if account["entrant"] == "far"]
    assert (far["end"], far["answers"]) == ("left", 0)
    assert read_event_log(home / "cup" / "event.jsonl")


def test_over_tls_a_bot_joins_with_the_authority_and_no_other(
    start_arena: StartArena, arena: RunArena, connect: Connect, home: Path
) -> None:
    """The organiser's own certificate; the bot is given who vouches for it."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(home / "ca.pem"))
    trustme.CA().cert_pem.write_to_path(str(home / "other-ca.pem"))
    certificate = authority.issue_cert("127.0.0.1")
    certificate.cert_chain_pems[0].write_to_path(str(home / "cert.pem"))
    certificate.private_key_pem.write_to_path(str(home / "key.pem"))
    write_bot(home / "near", HIGH)
    (home / "cup.toml").write_text(EVENT.replace("boards = 4", "boards = 2"))
    (token,) = arena("token", "cup.toml", "far").out.split()
    serving = start_arena("serve", "cup.toml", "--tls-cert", "cert.pem", "--tls-key", "key.pem")
    address = address_of(serving)
    stranger = connect(token, address, "--tls-ca", "other-ca.pem").end()
    assert stranger.status == 3
    told = stranger.err.splitlines()[-1]
    assert "its certificate is not believed (unable to get local issuer certificate" in told
    assert "give --tls-ca the PEM file" in told
    bot = connect(token, address, "--tls-ca", "ca.pem")
    assert serving.end().status == 0
    assert bot.end().status == 0


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--listen", "0.0.0.0:0"), "without TLS only 127.0.0.1 and"),
        (("--listen", "nowhere"), "allowed is HOST:PORT"),
        (("--tls-cert", "cert.pem"), "both a certificate and a key"),
        (("--tls-cert", "none.pem", "--tls-key", "none.pem"), "none.pem: cannot be read"),
        (("--tls-cert", "cup.toml", "--tls-key", "cup.toml"), "holds no certificate in PEM"),
    ],
)
def test_serve_refuses_an_address_in_one_line(
    arena: RunArena, home: Path, words: tuple[str, ...], says: str
) -> None:
    write_bot(home / "near", HIGH)
    (home / "cup.toml").write_text(EVENT)
    ended = arena("serve", "cup.toml", *words)
    assert ended.status == 2
    assert says in ended.err
    assert len(ended.err.splitlines()) == 1, "before anything else is done"
    assert not (home / "cup").exists()
