"""``arena play``: a person at the table, in the terminal.

Owns the table. The person (:mod:`arena.cli.person`) is a bot on the kit whose session runs
through memory instead of a socket; the others are processes as in any match, and the referee is
the same. There is no clock. Source: commands.md.
"""

import secrets
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import trio
import typer

from arena.bots.argument import parse_bot
from arena.bots.build import build_bot, check_runnable
from arena.bots.build_store import open_build_store
from arena.bots.frozen import FrozenBot, freeze
from arena.bots.sandbox.launch import Sandbox
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox
from arena.bots.seating import SeatingRoom, open_room, seat_bot
from arena.bots.work_folder import open_work_folder
from arena.cli.main import BAD, DONE, HOST_FAULT, WRONG_INPUT
from arena.cli.options import RULESET, SandboxOption, SeedOption, ruleset_option
from arena.cli.output import emit, say
from arena.cli.person import InputEnded, Left, Person
from arena.cli.trio_run import only, run_trio
from arena.errors import ConfigError, HostFault
from arena.referee.clock import NO_CLOCK
from arena.referee.conduct import Conduct
from arena.referee.events import Fault
from arena.referee.messages import Record
from arena.rules.dealing import deal_board, seed_from_text
from arena.rules.presets import parse_ruleset
from arena.rules.ruleset import Ruleset
from arena.sdk.session import Arrived
from arena.sdk.session import Session as PersonSession
from arena.server.admission import admit
from arena.server.arrivals import current_arrivals, now_ns
from arena.server.host import HostedMatch, MatchOutcome, play_match
from arena.server.link import LinkClosed
from arena.server.session import Session
from arena.testing.memory_link import FarEnd, memory_link_pair
from arena.tournament.run_state import ARENA_VERSION
from arena.v1 import play_pb2
from arena.wire.codec import ProtoCodec
from arena.wire.terms import GoodbyeReason

OPPONENT: Final = "greedy"
QUIET_RULESET: Final = f"{RULESET},signals=none"
"""Without words: a person types cards alone."""
END_S: Final = 2.0
"""How long the person may take to hear how it ended."""


def command(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help="Who plays with and against you.")
    ] = OPPONENT,
    *,
    boards: Annotated[int, typer.Option(min=1, help="How many deals.")] = 1,
    ruleset: Annotated[
        str, ruleset_option("italian-tournament without declarations and words")
    ] = QUIET_RULESET,
    seed: SeedOption = None,
    sandbox: SandboxOption = None,
) -> None:
    """Take a seat yourself: cards are typed as D3, of those in brackets.

    ? is help, q leaves, Ctrl-C interrupts. There is no clock.
    """
    rules = parse_ruleset(ruleset)
    try:
        outcome = run_trio(
            partial(
                _play,
                bot,
                rules,
                boards,
                seed or secrets.token_hex(16),
                sandbox or SandboxMode.AUTO,
            )
        )
    except ExceptionGroup as group:
        error = only(group)
        if not isinstance(error, Left):
            raise error from None
        is_terminal = sys.stdin is not None and sys.stdin.isatty()
        is_short = isinstance(error, InputEnded) and not is_terminal
        say(f"\n{error if is_short else 'you left the table'}")
        raise typer.Exit(WRONG_INPUT if is_short else DONE) from None
    kind = outcome.termination.kind
    raise typer.Exit(HOST_FAULT if kind.is_void else BAD if kind.is_forfeit else DONE)


async def _play(
    name: str, rules: Ruleset, boards: int, seed: str, mode: SandboxMode
) -> MatchOutcome:
    choice = parse_bot(name, Path())
    if choice.is_remote:
        raise ConfigError("remote: a bot that runs elsewhere does not join here; name a folder")
    if choice.warning:
        say(choice.warning)
    with open_work_folder() as folder:
        async with open_sandbox(mode, hidden=(), say=say) as sandbox:
            bot = await _make(name, folder, sandbox)
            async with open_room(
                NO_CLOCK.start_ms, server_version=ARENA_VERSION, sandbox=sandbox
            ) as room:
                how = "with and against" if rules.seats > rules.side_count else "against"
                say(f"you play {how} {choice.manifest.name}")
                return await _sit(room, bot, folder, rules, boards=boards, seed=seed)


async def _make(name: str, folder: Path, sandbox: Sandbox) -> FrozenBot:
    bot = await trio.to_thread.run_sync(freeze, parse_bot(name, Path()), folder / "bots")
    bot = await build_bot(
        bot,
        folder / "bots",
        sandbox=sandbox,
        is_lasting=False,
        builds=open_build_store(),
        say=say,
    )
    check_runnable(bot)
    return bot


async def _sit(
    room: SeatingRoom, bot: FrozenBot, folder: Path, rules: Ruleset, *, boards: int, seed: str
) -> MatchOutcome:
    """Seat the person at seat 0 and the bots at all others, and play."""
    async with trio.open_nursery() as bots:
        token = secrets.token_hex(16)
        link, far = memory_link_pair(now_ns)
        person = Person(_read_line, emit)
        has_heard = trio.Event()
        bots.start_soon(_converse, person, PersonSession(person, token), far, has_heard)
        session = await admit(link, ProtoCodec(), token=token, capacity=1, server=ARENA_VERSION)
        bots.start_soon(session.run)
        sessions: list[Session] = [session]
        for seat in range(1, rules.seats):
            output = folder / f"seat-{seat}.txt"
            seated = await bots.start(partial(seat_bot, room, bot, output))
            if seated.session.is_gone:
                raise HostFault(f"{bot.name} could not be seated: {seated.session.gone_detail}")
            sessions.append(seated.session)
        match = HostedMatch(
            public_id=secrets.token_hex(8),
            ruleset=rules,
            cards=partial(deal_board, rules, seed_from_text(seed)),
            first_board=1,
            boards=boards,
            clock=NO_CLOCK,
            conduct=Conduct(),
            commitment=b"",
            bot_seeds=(1,) * rules.seats,
        )
        records: list[Record] = []
        with current_arrivals().watch_loop() as watch:
            outcome = await play_match(match, sessions, sink=records.append, watch=watch)
        _tell_fault(outcome, records)
        session.say_goodbye(GoodbyeReason.FINISHED, 0)
        with trio.move_on_after(END_S):
            await has_heard.wait()
        bots.cancel_scope.cancel()
    return outcome


def _tell_fault(outcome: MatchOutcome, records: Sequence[Record]) -> None:
    """Say what went wrong where the match did not end by its rules: the bot is the author's own."""
    end = outcome.termination
    if end.kind.is_forfeit or end.kind.is_void:
        faults = [record.event for record in records if isinstance(record.event, Fault)]
        detail = end.detail or (faults[-1].detail if faults else "")
        whose = "" if end.seat is None else f" by seat {end.seat}"
        say(f"{end.kind.value}{whose}{detail and ': '}{detail}")


def _read_line(prompt: str) -> str:
    """Read a line from the terminal; where stdin was closed from the start, it has ended."""
    if sys.stdin is None:
        raise EOFError
    return input(prompt)


async def _converse(
    person: Person, session: PersonSession, far: FarEnd, has_heard: trio.Event
) -> None:
    """Be the person's end of the session; typing blocks a thread, not the table."""
    far.send(session.join().SerializeToString())
    while True:
        try:
            frame = play_pb2.PlayResponse.FromString(await far.recv())
        except LinkClosed:
            has_heard.set()
            return
        for message in frame.messages:
            person.hear(message.decision.news or message.update.news)
        replies = session.receive([Arrived(frame, now_ns())])
        while True:
            reply = await trio.to_thread.run_sync(next, replies, None, abandon_on_cancel=True)
            if reply is None:
                break
            far.send(reply.SerializeToString())
