"""An event's folder is verified as a whole: nothing can be dropped, swapped or edited unseen."""

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.errors import ArenaError, LogCorrupt
from arena.record.lines import decode_line, encode_line
from arena.record.read import read_log
from arena.record.seal import Chain
from arena.record.verify.deals import DealProof
from arena.tournament.folder import EventFolder
from arena.tournament.known import read_known
from arena.tournament.rulings import Act, Ruling
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_json
from arena.tournament.verify_event import rebuild_results, verify_event
from tests.record.test_tampering import changed, place_of, resealed
from tests.tournament.played_event import play_event

FIRST, SECOND = "s1-r1-p1-o0-m1.a1.jsonl", "s1-r1-p1-o1-m1.a1.jsonl"
COUNTED = "match_counted"
Lines = list[dict[str, object]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a small event once: a void attempt, then two matches that count."""
    return play_event(tmp_path_factory.mktemp("event") / "played")


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> EventFolder:
    """Give a copy of the event to tamper with."""
    copy = tmp_path / "copy"
    shutil.copytree(played, copy)
    return EventFolder(copy)


def edit_log(folder: EventFolder, name: str, tamper: Callable[[Lines], Lines]) -> None:
    """Edit a match log and seal it anew."""
    path = folder.logs / name
    lines = [decode_line(line) for line in path.read_bytes().splitlines()]
    path.write_bytes(resealed(tamper(lines)))


def edit_event_log(folder: EventFolder, tamper: Callable[[Lines], Lines]) -> None:
    """Edit the event's log, number it anew and chain it anew."""
    lines = [decode_line(line) for line in folder.event_log.read_bytes().splitlines()]
    chain, written = Chain(), b""
    for seq, line in enumerate(tamper(lines), start=1):
        raw = encode_line({**line, "seq": seq, "chain": chain.seal()})
        chain.update(raw)
        written += raw
    folder.event_log.write_bytes(written)


def noted_anew(folder: EventFolder) -> None:
    """Let the event's log note the digests that the match logs have now."""

    def note(lines: Lines) -> Lines:
        return [
            {**line, "digest": read_log(folder.logs / name).sha256}
            if (name := f"{line.get('match')}.a{line.get('attempt')}.jsonl") and "digest" in line
            else line
            for line in lines
        ]

    edit_event_log(folder, note)


def without_kind(kind: str) -> Callable[[Lines], Lines]:
    return lambda lines: [line for line in lines if line["event"] != kind]


def swap_files(folder: EventFolder) -> None:
    first, second = folder.logs / FIRST, folder.logs / SECOND
    content = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(content)


def dealt_otherwise(folder: EventFolder) -> None:
    """Exchange two cards of the last trick's holders in the deal, everywhere they stand."""

    def tamper(lines: Lines) -> Lines:
        line = lines[place_of(lines, "deal_started")]
        hands = line["hands"]
        assert isinstance(hands, list)
        one, other = hands[0][0], hands[2][0]
        swap = {one: other, other: one}
        text = json.dumps(lines)
        for card in swap:
            text = text.replace(f'"{card}"', f'"?{card}"')
        for card, instead in swap.items():
            text = text.replace(f'"?{card}"', f'"{instead}"')
        renamed: Lines = json.loads(text)
        return renamed

    edit_log(folder, FIRST, tamper)
    noted_anew(folder)


def sql(statement: str, *values: str) -> Callable[[EventFolder], None]:
    def tamper(folder: EventFolder) -> None:
        with sqlite3.connect(folder.results) as database:
            database.execute(statement, values)
        database.close()

    return tamper


def rewritten(path: str, old: bytes, new: bytes) -> Callable[[EventFolder], None]:
    def tamper(folder: EventFolder) -> None:
        content = (folder.path / path).read_bytes()
        assert old in content
        (folder.path / path).write_bytes(content.replace(old, new, 1))

    return tamper


def time_shifted(folder: EventFolder) -> None:
    edit_log(folder, FIRST, changed("card_played", 3, think_us=1))


def time_shifted_and_noted(folder: EventFolder) -> None:
    time_shifted(folder)
    noted_anew(folder)


def void_dropped_and_unnoted(folder: EventFolder) -> None:
    """Drop the void attempt from the folder and from the event's log."""
    (folder.logs / FIRST).unlink()
    edit_event_log(folder, without_kind("match_voided"))


def attempt_renamed(folder: EventFolder) -> None:
    (folder.logs / FIRST.replace("a1", "a2")).rename(folder.logs / FIRST.replace("a1", "a3"))


def log_put_in(folder: EventFolder) -> None:
    shutil.copy(folder.logs / SECOND, folder.logs / "s1-r9-p1-o0-m1.a1.jsonl")


def results_made_rubbish(folder: EventFolder) -> None:
    folder.results.write_bytes(b"rubbish" * 99)


def counted_twice(lines: Lines) -> Lines:
    place = place_of(lines, "match_counted")
    return [*lines[: place + 1], {**lines[place], "attempt": 9}, *lines[place + 1 :]]


TAMPERINGS: dict[str, tuple[Callable[[EventFolder], None], str]] = {
    "a time shifted": (time_shifted, "digest"),
    "logs swapped": (swap_files, "expected match s1"),
    "a log dropped": (lambda folder: (folder.logs / SECOND).unlink(), "found none"),
    "a void attempt dropped": (lambda folder: (folder.logs / FIRST).unlink(), "found none"),
    "a void attempt dropped and unnoted": (void_dropped_and_unnoted, "found none"),
    "an attempt renamed": (attempt_renamed, "expected match s1"),
    "a log put in": (
        log_put_in,
        "of the schedule only",
    ),
    "a card replaced, all sealed and noted anew": (dealt_otherwise, "dealt from the seed"),
    "a seat's bot renamed": (
        lambda folder: edit_log(
            folder,
            SECOND,
            lambda lines: json.loads(json.dumps(lines).replace('"hash": "0', '"hash": "1')),
        ),
        "expected bots",
    ),
    "a count dropped": (
        lambda folder: edit_event_log(folder, without_kind("match_counted")),
        "counted",
    ),
    "a match counted twice": (lambda folder: edit_event_log(folder, counted_twice), "counts once"),
    "totals noted otherwise": (
        lambda folder: edit_event_log(folder, changed("match_counted", totals=[44, 0])),
        "totals",
    ),
    "a void noted as counted": (
        lambda folder: edit_event_log(folder, changed("match_voided", event="match_counted")),
        "counts once",
    ),
    "another seed revealed": (
        lambda folder: edit_event_log(folder, changed("seed_revealed", seeds=["ab" * 32])),
        "seeds of",
    ),
    "no seed revealed": (
        lambda folder: edit_event_log(folder, without_kind("seed_revealed")),
        "seed_revealed",
    ),
    "a line of the event's log edited": (
        rewritten("event.jsonl", b'"match_counted"', b'"match_voided"'),
        "chain",
    ),
    "the event file edited": (rewritten("event.toml", b"boards", b"# oh\nboards"), "not the file"),
    "a row's totals edited": (sql("UPDATE matches SET totals = '[40, 4]'"), "totals"),
    "a row's winner edited": (
        sql("UPDATE matches SET winner = 1 - winner WHERE counted"),
        "winner",
    ),
    "a row's duration edited": (
        sql("UPDATE matches SET duration_us = duration_us + 1 WHERE counted"),
        "duration_us",
    ),
    "a row dropped": (sql("DELETE FROM matches WHERE counted"), "found no row"),
    "the results made rubbish": (
        results_made_rubbish,
        "file is not a database",
    ),
    "the results dropped": (lambda folder: folder.results.unlink(), "no such file"),
    "the standings edited": (
        rewritten("standings.json", b'"rank": 1', b'"rank": 2'),
        "stages[0].entrants[0].rank: expected 1, found 2",
    ),
    "the standings written another way": (
        rewritten("standings.json", b'"rank": 1', b'"rank" : 1'),
        "the same, written another way",
    ),
    "a key of the standings renamed": (
        rewritten("standings.json", b'"rank_by"', b'"ranked_by"'),
        "rank_by: expected",
    ),
    "the standings dropped": (lambda folder: folder.standings.unlink(), "final standings"),
}


def killed_before_noting(folder: EventFolder) -> None:
    """Let the event's log end before the line of the last match, whose row is there."""
    edit_event_log(
        folder, lambda lines: lines[: max(n for n, x in enumerate(lines) if x["event"] == COUNTED)]
    )
    folder.standings.unlink()


def edit_last_match(folder: EventFolder, tamper: Callable[[Lines], Lines]) -> None:
    """Edit the last match's log, seal it anew and give its row the new digest."""
    edit_log(folder, SECOND, tamper)
    digest = read_log(folder.logs / SECOND).sha256
    sql("UPDATE matches SET digest = ? WHERE match_id = ?", digest, SECOND[:-9])(folder)


def ruled(folder: EventFolder) -> None:
    """Let the organiser adjust a board of an event that is over, and the standings follow."""
    ruling = Ruling(
        act=Act.ADJUST, on=SECOND[:-9], by="me", reason="x", attempt=1, board=2, points=(11, 0)
    )
    line = {"time": "2026-01-01T09:00:00Z", "event": "ruling", **ruling.to_fields()}
    edit_event_log(folder, lambda lines: [*lines, json.loads(json.dumps(line))])
    known = read_known(folder)
    folder.standings.write_bytes(
        standings_json(
            standings(known.event, known.rows, known.begun.rulings),
            commitments=known.begun.commitments,
            fingerprint=known.begun.freeze.fingerprint,
        )
    )


def findings(folder: EventFolder) -> list[str]:
    """Say what is wrong, the log's damage included."""
    try:
        return [str(finding) for finding in verify_event(folder).wrong]
    except ArenaError as error:
        return [str(error)]


def test_an_event_that_was_played_is_good_and_its_deals_are_proven(folder: EventFolder) -> None:
    verdict = verify_event(folder)
    assert verdict.wrong == ()
    assert (verdict.matches, verdict.logs, verdict.is_closed) == (2, 3, True)
    assert verdict.deals is DealProof.PROVEN
    assert verdict.plays > 0


@pytest.mark.parametrize("name", TAMPERINGS)
def test_tampering_with_the_folder_is_found(name: str, folder: EventFolder) -> None:
    tamper, word = TAMPERINGS[name]
    tamper(folder)
    found = findings(folder)
    assert any(word in finding for finding in found), found


def test_times_noted_anew_are_found_by_the_published_head_alone(
    folder: EventFolder, played: Path
) -> None:
    time_shifted_and_noted(folder)
    head = verify_event(folder).head
    assert head != verify_event(EventFolder(played)).head


def test_results_are_made_anew_from_the_logs(folder: EventFolder) -> None:
    folder.results.unlink()
    assert rebuild_results(folder) == 3
    assert verify_event(folder).wrong == ()


def test_results_are_not_made_from_logs_that_are_not_what_was_noted(folder: EventFolder) -> None:
    time_shifted(folder)
    before = folder.results.read_bytes()
    with pytest.raises(ArenaError, match="digest"):
        rebuild_results(folder)
    assert folder.results.read_bytes() == before


def test_a_row_that_a_kill_kept_out_of_the_events_log_is_good(folder: EventFolder) -> None:
    killed_before_noting(folder)
    verdict = verify_event(folder)
    assert verdict.wrong == ()
    assert (verdict.matches, verdict.logs, verdict.is_closed) == (1, 3, False)
    assert [note for note in verdict.notes if "a kill broke it off" in note]


def test_such_a_row_is_worked_out_from_its_log_again(folder: EventFolder) -> None:
    killed_before_noting(folder)
    sql("UPDATE matches SET totals = '[40, 4]' WHERE match_id = ?", SECOND[:-9])(folder)
    assert any("totals" in finding for finding in findings(folder))


def test_nor_is_it_believed_where_its_log_went(folder: EventFolder) -> None:
    killed_before_noting(folder)
    (folder.logs / SECOND).unlink()
    assert any("it has no log" in finding for finding in findings(folder))


@pytest.mark.parametrize(
    "tamper",
    [
        changed("trick_won", 2, thirds=7),
        changed("card_played", 3, think_us=-5),
        changed("decision_asked", 4, limit_ms=1),
    ],
    ids=["a trick's worth", "a time", "a limit"],
)
def test_nor_where_its_log_is_not_what_rules_and_clocks_make_it(
    tamper: Callable[[Lines], Lines], folder: EventFolder
) -> None:
    """By those who go on with the event and by those who only look at it, too."""
    killed_before_noting(folder)
    edit_last_match(folder, tamper)
    with pytest.raises(LogCorrupt, match="does not know it, and its own is wrong"):
        read_known(folder)
    assert any(SECOND in finding for finding in findings(folder))


def test_a_ruling_is_part_of_what_standings_come_to(folder: EventFolder) -> None:
    ruled(folder)
    assert verify_event(folder).wrong == ()


@pytest.mark.parametrize(
    "tamper",
    [
        without_kind("ruling"),
        changed("ruling", points=[0, 11]),
        changed("ruling", board=1),
        changed("ruling", act="void"),
    ],
    ids=["dropped", "other points", "another board", "another act"],
)
def test_a_ruling_tampered_with_is_found_by_the_standings(
    tamper: Callable[[Lines], Lines], folder: EventFolder
) -> None:
    """Also where the event's log was chained anew."""
    ruled(folder)
    edit_event_log(folder, tamper)
    assert any("not the standings that the results come to" in one for one in findings(folder))
