"""Whether the seeds of an event are what was committed to before the first card.

Owns the secrets, the public text and the seeds that are revealed, held against the published
commitments. How cards follow from a seed is :mod:`arena.record.verify.deals`'s. Source:
design.md §6 ("The seed", "Commitment").
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from arena.errors import LogCorrupt
from arena.record.event_log import EventLine
from arena.record.rerun import Difference
from arena.referee.fairness import (
    SEED_SIZE,
    commitment,
    secret_commitment,
    seed_from_public_text,
)
from arena.tournament.begun import Begun
from arena.tournament.event_file import EventFile
from arena.tournament.seed_source import SeedSource

_OF_MATCHES = frozenset({"round_started", "match_counted", "match_voided", "session_closed"})


def revealed(lines: Sequence[EventLine], path: Path, what: str = "seeds") -> tuple[bytes, ...]:
    """Give the revealed seeds or secrets, one a stage; none before they are.

    Raises:
        LogCorrupt: They are not 32 bytes each, in hexadecimal.
    """
    for line in lines:
        if line.kind == "seed_revealed":
            texts = line.fields.get(what, [] if what == "secrets" else None)
            try:
                found = tuple(map(bytes.fromhex, texts)) if isinstance(texts, list) else (b"",)
            except (TypeError, ValueError):
                found = (b"",)
            if any(len(one) != SEED_SIZE for one in found):
                raise LogCorrupt(
                    f"{path}, seq {line.seq}: expected {what} of {2 * SEED_SIZE} hexadecimal digits"
                )
            return found
    return ()


def seeds_wrong(
    event: EventFile, begun: Begun, lines: Sequence[EventLine], path: Path
) -> Iterator[Difference]:
    """Hold what was revealed against what was published, and the text against the order."""
    if (event.seed_source is SeedSource.PUBLIC) != bool(begun.secret_commitments):
        expected = f"what an event of seed_source {event.seed_source.value!r} commits to"
        yield _difference(path, 1, expected, f"{len(begun.secret_commitments)} secrets")
    yield from _text_wrong(begun, lines, path)
    seeds, secrets = revealed(lines, path), revealed(lines, path, "secrets")
    if not seeds:
        return
    seq = next(line.seq for line in lines if line.kind == "seed_revealed")
    found = tuple(commitment(seed).hex() for seed in seeds)
    if found != begun.commitments:
        yield _difference(path, seq, f"seeds of {begun.commitments}", str(found))
    promised = tuple(secret_commitment(secret).hex() for secret in secrets)
    if promised != begun.secret_commitments:
        yield _difference(path, seq, f"secrets of {begun.secret_commitments}", str(promised))
    elif begun.public_text is not None:
        text = begun.public_text
        made = tuple(seed_from_public_text(secret, text) for secret in secrets)
        if made != seeds:
            expected = f"the seeds that the secrets and the public text {text!r} make"
            yield _difference(path, seq, expected, "others")


def _text_wrong(begun: Begun, lines: Sequence[EventLine], path: Path) -> Iterator[Difference]:
    """Find a public text that came where none was promised, twice, or after a card."""
    texts = [line for line in lines if line.kind == "public_text"]
    first_match = next((line.seq for line in lines if line.kind in _OF_MATCHES), None)
    for place, line in enumerate(texts):
        if not begun.secret_commitments:
            yield _difference(path, line.seq, "no public text in this event", line.kind)
        elif place:
            yield _difference(path, line.seq, "one public text", "another one")
        elif first_match is not None and first_match < line.seq:
            yield _difference(path, first_match, "public_text before the first match", "a match")
    if begun.awaits_text and first_match is not None:
        yield _difference(path, first_match, "public_text before the first match", "a match")


def _difference(path: Path, seq: int, expected: str, found: str) -> Difference:
    return Difference(file=str(path), seq=seq, expected=expected, found=found)
