"""With public randomness nobody can choose the cards and nobody can know them."""

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.errors import ConfigError
from arena.record.event_log import EventLog, read_event_log
from arena.referee.fairness import commitment, secret_commitment, seed_from_public_text
from arena.tournament.begun import Begun, read_begun
from arena.tournament.event_file import EventFile
from arena.tournament.folder import EventFolder
from arena.tournament.freeze import Freeze
from arena.tournament.public_seed import check_text, draw_secrets, note_text, seeds_of_event
from arena.tournament.seed_source import SeedSource
from arena.tournament.verify_seeds import revealed, seeds_wrong
from tests.tournament.results import event_of

PUBLIC = SeedSource.PUBLIC
SECRETS = (bytes(range(32)), bytes(range(1, 33)))
TEXT = "4 8 15 16 23 42 é"
SEEDS = tuple(seed_from_public_text(secret, TEXT) for secret in SECRETS)
COMMITMENTS = [commitment(seed).hex() for seed in SEEDS]


def two_stages(source: SeedSource = PUBLIC) -> EventFile:
    event = event_of("a", "b")
    return replace(event, stages=event.stages * 2, seed_source=source)


def begun_with(path: Path, *lines: tuple[str, dict[str, Any]], secrets: bool = True) -> Begun:
    """Write an event's log, opened with the secrets' commitments; read it back."""
    path.mkdir(exist_ok=True)
    freeze = Freeze(event="e", arena_version="1", arena_files={}, entrants={})
    promised = [secret_commitment(secret).hex() for secret in SECRETS] if secrets else []
    with EventLog(path / "event.jsonl", wall_time=lambda: "2026-01-01T00:00:00.000Z") as log:
        log.append(
            "event_opened",
            bots_from=".",
            commitments=[] if secrets else COMMITMENTS,
            secret_commitments=promised,
            durable=False,
            **freeze.to_fields(),
        )
        for kind, fields in lines:
            log.append(kind, durable=False, **fields)
    begun = read_begun(EventFolder(path))
    assert begun is not None
    return begun


GIVEN = ("public_text", {"text": TEXT, "commitments": COMMITMENTS})
MATCH: tuple[str, dict[str, Any]] = ("round_started", {"stage": 1, "round": 1})
REVEALED: tuple[str, dict[str, Any]] = (
    "seed_revealed",
    {"seeds": [seed.hex() for seed in SEEDS], "secrets": [secret.hex() for secret in SECRETS]},
)


def test_a_secret_a_stage_is_kept_and_only_its_hash_is_published(tmp_path: Path) -> None:
    drawn = iter(SECRETS)
    published = draw_secrets(tmp_path / "seed.key", two_stages(), lambda _: next(drawn))
    assert published == tuple(
        hashlib.sha256(b"tressette secret v1" + secret).hexdigest() for secret in SECRETS
    )
    assert (tmp_path / "seed.key").stat().st_mode & 0o777 == 0o600
    assert (tmp_path / "seed.key").read_text() == "".join(f"{one.hex()}\n" for one in SECRETS)


def test_an_event_awaits_its_text_and_has_seeds_with_it(tmp_path: Path) -> None:
    waiting = begun_with(tmp_path / "a")
    assert (waiting.awaits_text, waiting.commitments, waiting.public_text) == (True, (), None)
    drawn = iter(SECRETS)
    folder = EventFolder(tmp_path / "a")
    draw_secrets(folder.seed_key, two_stages(), lambda _: next(drawn))
    seeds = seeds_of_event(folder, two_stages(), waiting, TEXT)
    assert tuple(seed.key for seed in seeds) == SEEDS
    assert not any(seed.is_guessable for seed in seeds)
    assert SECRETS[0].hex() not in repr(seeds)
    with EventLog(folder.event_log, wall_time=lambda: "2026-01-01T00:00:00.000Z") as log:
        note_text(log, TEXT, seeds)
    begun = read_begun(folder)
    assert begun is not None
    assert (begun.awaits_text, begun.public_text) == (False, TEXT)
    assert begun.commitments == tuple(COMMITMENTS)
    assert seeds_of_event(folder, two_stages(), begun, TEXT) == seeds


def test_other_secrets_than_those_committed_to_make_no_seeds(tmp_path: Path) -> None:
    begun = begun_with(tmp_path)
    folder = EventFolder(tmp_path)
    draw_secrets(folder.seed_key, two_stages())
    with pytest.raises(ConfigError, match="not the secrets this event began with"):
        seeds_of_event(folder, two_stages(), begun, TEXT)


@pytest.mark.parametrize(
    ("source", "lines", "text", "says"),
    [
        (SeedSource.SYSTEM, (), TEXT, 'goes with seed_source = "public"'),
        (PUBLIC, None, TEXT, "nothing is committed to yet"),
        (PUBLIC, (GIVEN,), "another", "was given before, and it stands"),
        (PUBLIC, (), "", "visible characters"),
        (PUBLIC, (), " 4", "visible characters"),
        (PUBLIC, (), "a\nb", "visible characters"),
        (PUBLIC, (), "x" * 1001, "1 to 1000 visible characters"),
    ],
)
def test_a_text_where_none_belongs_is_refused(
    tmp_path: Path, source: SeedSource, lines: tuple[Any, ...] | None, text: str, says: str
) -> None:
    begun = None if lines is None else begun_with(tmp_path, *lines)
    with pytest.raises(ConfigError, match=says):
        check_text(two_stages(source), begun, text, tmp_path)


def test_the_same_text_again_and_none_at_all_are_fine(tmp_path: Path) -> None:
    begun = begun_with(tmp_path, GIVEN)
    check_text(two_stages(), begun, TEXT, tmp_path)
    check_text(two_stages(), begun, None, tmp_path)
    check_text(two_stages(), None, None, tmp_path)


# --- verify ---------------------------------------------------------------------------------


def wrong_of(begun: Begun, path: Path, event: EventFile) -> list[str]:
    lines = read_event_log(path / "event.jsonl")
    return [str(one) for one in seeds_wrong(event, begun, lines, path / "event.jsonl")]


@pytest.mark.parametrize("lines", [(), (GIVEN,), (GIVEN, MATCH), (GIVEN, MATCH, REVEALED)])
def test_an_event_is_good_at_every_moment(tmp_path: Path, lines: tuple[Any, ...]) -> None:
    assert wrong_of(begun_with(tmp_path, *lines), tmp_path, two_stages()) == []


def seeds_changed(**changes: object) -> tuple[str, dict[str, Any]]:
    return ("seed_revealed", {**REVEALED[1], **changes})


OTHER = [bytes(32).hex(), bytes(32).hex()]
OTHER_COMMITMENTS = [commitment(bytes(32)).hex()] * 2
FORGED: dict[str, tuple[tuple[Any, ...], str]] = {
    "a text after the first card": ((MATCH, GIVEN), "public_text before the first match"),
    "no text at all": ((MATCH,), "public_text before the first match"),
    "a second text": ((GIVEN, GIVEN, MATCH), "expected one public text"),
    "other seeds": ((GIVEN, MATCH, seeds_changed(seeds=OTHER)), "expected seeds of"),
    "other secrets": ((GIVEN, MATCH, seeds_changed(secrets=OTHER)), "expected secrets of"),
    "no secrets": ((GIVEN, MATCH, seeds_changed(secrets=[])), "expected secrets of"),
    "seeds that were chosen, with commitments that fit": (
        (
            ("public_text", {"text": TEXT, "commitments": OTHER_COMMITMENTS}),
            MATCH,
            seeds_changed(seeds=OTHER),
        ),
        "that the secrets and the public text",
    ),
    "another text": (
        (("public_text", {"text": "other", "commitments": COMMITMENTS}), MATCH, REVEALED),
        "that the secrets and the public text",
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_tampering_with_public_randomness_is_found(tmp_path: Path, name: str) -> None:
    lines, says = FORGED[name]
    found = wrong_of(begun_with(tmp_path, *lines), tmp_path, two_stages())
    assert any(says in one for one in found), found


def test_an_event_of_another_source_than_its_file_says_is_found(tmp_path: Path) -> None:
    plain = begun_with(tmp_path / "a", secrets=False)
    assert "commits to" in wrong_of(plain, tmp_path / "a", two_stages())[0]
    public = begun_with(tmp_path / "b", GIVEN)
    found = wrong_of(public, tmp_path / "b", two_stages(SeedSource.SYSTEM))
    assert "commits to" in found[0]
    texted = begun_with(tmp_path / "c", GIVEN, secrets=False)
    found = wrong_of(texted, tmp_path / "c", two_stages(SeedSource.SYSTEM))
    assert "no public text in this event" in found[0]


def test_nothing_is_revealed_before_it_is(tmp_path: Path) -> None:
    begun_with(tmp_path, GIVEN, MATCH)
    assert revealed(read_event_log(tmp_path / "event.jsonl"), tmp_path) == ()
