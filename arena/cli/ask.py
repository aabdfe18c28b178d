"""``arena ask``: any bot at a logged decision, with exactly what the seat had seen.

Owns the words of the answer and how often each one was given; of all decisions of an entrant
:mod:`arena.cli.ask_along` tells.
Source: record.md ("arena ask").
"""

import os
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from arena.bots.argument import BotChoice, command_bot, parse_bot
from arena.bots.sandbox.mode import SandboxMode
from arena.cli.ask_along import Wanted, ask_along, run_asking, seeds_beside
from arena.cli.main import DONE
from arena.cli.match_logs import named_log
from arena.cli.options import JsonAlone, LinesOption, Organiser, SandboxOption, spoken
from arena.cli.output import emit, print_envelope
from arena.cli.unpacking import unpacked
from arena.errors import ConfigError, LogCorrupt
from arena.record.read import read_log
from arena.record.rerun import check
from arena.record.wording import claim_words
from arena.rules.notation import format_cards
from arena.rules.question import Answer
from arena.tournament.asking import Asked, Line, Said, bot_seeds, line_to
from arena.tournament.revealing import refuse_hidden_cards


def command(
    ctx: typer.Context,
    log: Annotated[
        Path,
        typer.Argument(metavar="LOG", help="A match log, a folder of them, an EVENT, or a zip."),
    ],
    match: Annotated[
        str | None,
        typer.Argument(metavar="MATCH", help="The match of that EVENT, as s1-r1-p1-o0-m1."),
    ] = None,
    *,
    decision: Annotated[
        int | None,
        typer.Option(min=1, help="The seq of a decision_asked; without it all of an entrant."),
    ] = None,
    entrant: Annotated[
        str | None,
        typer.Option(help="Whose decisions (default: the entrant that is called like BOT)."),
    ] = None,
    matches: Annotated[
        int | None, typer.Option(min=1, help="Of the whole event, only so many matches.")
    ] = None,
    repeat: Annotated[
        int, typer.Option(min=1, max=1000, help="Ask so often, each time with another seed.")
    ] = 1,
    patience: Annotated[
        float,
        typer.Option(
            metavar="SECONDS", min=0.1, max=86_400, help="Seconds that each answer is waited for."
        ),
    ] = 60.0,
    sandbox: SandboxOption = None,
    lines: LinesOption = False,
    json: JsonAlone = False,
    organiser: Organiser = False,
) -> None:
    """Ask a bot at a logged decision: arena ask LOG --decision 42 -- BOT.

    Without --decision: at all decisions of an entrant, in a match, a folder or an EVENT, and
    say how often it plays the same. BOT is a folder with bot.toml, a shipped bot's name, or a
    command. No clock runs.
    """
    choice = _bot(tuple(ctx.obj or ()), lines=lines)
    if decision is not None and (entrant is not None or matches is not None):
        raise ConfigError("--entrant and --matches go without --decision")
    wanted = Wanted(
        entrant=entrant,
        matches=matches,
        repeat=repeat,
        patience_s=patience,
        sandbox=sandbox or SandboxMode.AUTO,
    )
    with unpacked(log) as place:
        if decision is None:
            ask_along(place, match, choice, wanted, is_json=json, is_organiser=organiser)
            return
        path = named_log(place, match)
        refuse_hidden_cards(path, is_organiser=organiser)
        _ask_at(decision, path, choice, wanted, is_json=json)
    raise typer.Exit(DONE)


def _ask_at(decision: int, path: Path, choice: BotChoice, wanted: Wanted, *, is_json: bool) -> None:
    """Ask at one decision of a log and print what was answered."""
    record = read_log(path)
    wrong = [one for one in check(record) if one.seq <= decision]
    if wrong:
        raise LogCorrupt(f"this log is not what the arena wrote: {wrong[0]}")
    line = line_to(record, decision)
    asked: list[Asked] = []
    run_asking(
        [(line, bot_seeds(record, line.seat, wanted.repeat, seeds_beside(record.path)))],
        choice,
        wanted,
        start_ms=record.header.clock.start_ms,
        take=lambda _, one: asked.append(one),
    )
    if is_json:
        _print_json(line, choice, asked)
    else:
        _print(line, choice, asked)


def _bot(words: tuple[str, ...], *, lines: bool) -> BotChoice:
    """Read what stands after ``--``: one word may name a bot, else all are a command."""
    if not words:
        raise ConfigError("arena ask: name a bot after --, for instance -- greedy")
    if len(words) == 1 and not lines and not _is_program(words[0]):
        return parse_bot(words[0], Path())
    return command_bot(words, Path(), spoken(words, lines=lines))


def _is_program(word: str) -> bool:
    """Whether a single word is a program by its path, as in ``-- ./bot``; else it names a bot."""
    return os.sep in word and Path(word).is_file() and os.access(word, os.X_OK)


def _print(line: Line, choice: BotChoice, asked: list[Asked]) -> None:
    put = line.decision
    header = line.record.header
    view = put.ask.observation
    emit(
        f"{header.match}, seq {put.line.seq}: seat {line.seat}, deal {view.deal}, "
        f"trick {len(view.trick_leaders) + 1}"
    )
    emit(f"  hand   {format_cards(view.hand)}")
    emit(f"  legal  {format_cards(put.ask.question.legal)}")
    strayed = Counter(
        (said.put.line.seq, _said_words(said), _logged(said))
        for one in asked
        for said in one.astray
    )
    for (seq, words, logged), count in sorted(strayed.items()):
        often = "" if len(asked) == 1 else f", {count} of {len(asked)}"
        emit(f"  off the logged line at seq {seq}: {words}, logged {logged}{often}")
    emit(f"  logged {_logged(asked[0].said)}, by {header.seats[line.seat].entrant}")
    name = choice.manifest.name
    if len(asked) == 1:
        said = asked[0].said
        verdict = "the same" if said.is_as_logged else "another"
        emit(f"  {name} answers {_said_words(said)} after {said.think_us / 1000:.1f} ms: {verdict}")
        return
    counts = Counter(_said_words(one.said) for one in asked)
    for words, count in counts.most_common():
        emit(f"  {name} answers {words}: {count} of {len(asked)}")
    same = sum(one.said.is_as_logged for one in asked)
    emit(f"  as logged: {same} of {len(asked)}")


def _logged(said: Said) -> str:
    given = said.put.given
    if given is None:
        return "no answer"
    if given.answer is None:
        return "a card that the referee played"
    return _words(given.answer)


def _said_words(said: Said) -> str:
    if said.answer is None:
        return f"what is refused ({said.refusal})"
    words = _words(said.answer.answer)
    if said.answer.answer.card in said.put.ask.question.legal:
        return words
    return f"{words} (not legal here)"


def _words(answer: Answer) -> str:
    parts = [str(answer.card)]
    if answer.signal is not None:
        parts.append(answer.signal.value)
    parts += [f"declaring {claim_words(claim)}" for claim in answer.declarations]
    return " ".join(parts)


def _print_json(line: Line, choice: BotChoice, asked: list[Asked]) -> None:
    put = line.decision
    print_envelope(
        "ask",
        {
            "match": line.record.header.match,
            "seq": put.line.seq,
            "seat": line.seat,
            "legal": [str(card) for card in put.ask.question.legal],
            "logged": _logged(asked[0].said),
            "bot": choice.manifest.name,
            "answers": [
                {
                    "answer": _said_words(one.said),
                    "as_logged": one.said.is_as_logged,
                    "think_us": one.said.think_us,
                    "astray": [said.put.line.seq for said in one.astray],
                }
                for one in asked
            ],
        },
    )
