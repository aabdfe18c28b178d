"""A freeze notices every change and names it."""

import hashlib
from pathlib import Path

import pytest

from arena.errors import ConfigError, HostFault, LogCorrupt
from arena.tournament.freeze import Freeze, differences, freeze_event, refuse_changes


def package_at(path: Path) -> Path:
    (path / "rules" / "__pycache__").mkdir(parents=True)
    (path / "__init__.py").write_text("")
    (path / "rules" / "cards.py").write_text("cards = 40\n")
    (path / "rules" / "__pycache__" / "cards.pyc").write_bytes(b"\0")
    return path


def freeze_of(
    package: Path,
    *,
    event_file: bytes = b"name = 'cup'\n",
    entrants: dict[str, str] | None = None,
    version: str = "1.0",
) -> Freeze:
    return freeze_event(
        event_file=event_file,
        entrants={"fox": "ab" * 32, "hen": "cd" * 32} if entrants is None else entrants,
        arena_version=version,
        package=package,
    )


def test_the_fingerprint_is_the_hash_of_the_documented_lines(tmp_path: Path) -> None:
    empty = hashlib.sha256(b"").hexdigest()
    cards = hashlib.sha256(b"cards = 40\n").hexdigest()
    lines = (
        "tressette freeze v1\n"
        f"event {hashlib.sha256(b'x').hexdigest()}\n"
        "arena 1.0\n"
        f"file {empty} __init__.py\n"
        f"file {cards} rules/cards.py\n"
        f"entrant {'ab' * 32} Füchsin 1\n"
    )
    freeze = freeze_of(package_at(tmp_path), event_file=b"x", entrants={"Füchsin 1": "ab" * 32})
    assert freeze.fingerprint == hashlib.sha256(lines.encode()).hexdigest()


def test_nothing_changed_is_no_difference(tmp_path: Path) -> None:
    package = package_at(tmp_path)
    before, after = freeze_of(package), freeze_of(package)
    assert differences(before, after) == ()
    assert before.fingerprint == after.fingerprint
    refuse_changes(differences(before, after), tmp_path)


def test_caches_of_the_interpreter_are_not_part_of_the_arena(tmp_path: Path) -> None:
    package = package_at(tmp_path)
    before = freeze_of(package)
    (package / "rules" / "__pycache__" / "other.pyc").write_bytes(b"\1")
    assert differences(before, freeze_of(package)) == ()


def test_each_change_is_named(tmp_path: Path) -> None:
    package = package_at(tmp_path)
    before = freeze_of(package)
    (package / "rules" / "cards.py").write_text("cards = 52\n")
    (package / "new.py").write_text("")
    (package / "__init__.py").unlink()
    after = freeze_of(
        package,
        event_file=b"name = 'pot'\n",
        entrants={"fox": "ef" * 32, "owl": "cd" * 32},
        version="1.1",
    )
    found = differences(before, after)
    assert found[0].startswith("the event file changed: ")
    assert found[1] == "the arena changed: version 1.0 → 1.1"
    assert found[2] == "arena file __init__.py is gone"
    assert found[3].startswith("arena file rules/cards.py changed: ")
    assert found[4] == "arena file new.py is new"
    assert found[5] == "entrant fox changed: abababababab → efefefefefef"
    assert found[6:] == ("entrant hen is gone", "entrant owl is new")


def test_another_order_of_entry_is_a_change(tmp_path: Path) -> None:
    package = package_at(tmp_path)
    before = freeze_of(package, entrants={"fox": "ab", "hen": "cd"})
    after = freeze_of(package, entrants={"hen": "cd", "fox": "ab"})
    assert differences(before, after) == ("the entrants stand in another order",)


def test_changes_are_refused_by_name_and_with_a_way_out(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        refuse_changes(("entrant fox changed: ab → ef", "the event file changed"), tmp_path)
    message = str(caught.value)
    assert str(tmp_path) in message
    assert "\n  entrant fox changed: ab → ef\n" in message
    assert "new event" in message


def test_a_freeze_is_read_back_from_the_log(tmp_path: Path) -> None:
    freeze = freeze_of(package_at(tmp_path))
    assert Freeze.from_fields(freeze.to_fields() | {"host": "x"}) == freeze


@pytest.mark.parametrize("key", ["event_hash", "arena_version", "arena_files", "entrant_hashes"])
def test_a_freeze_with_a_missing_or_altered_field_is_refused(tmp_path: Path, key: str) -> None:
    fields = freeze_of(package_at(tmp_path)).to_fields()
    missing = {name: value for name, value in fields.items() if name != key}
    with pytest.raises(LogCorrupt, match="does not say"):
        Freeze.from_fields(missing)
    altered = "0" if isinstance(fields[key], str) else {"x": "0"}
    with pytest.raises(LogCorrupt, match="fingerprint"):
        Freeze.from_fields(fields | {key: altered})


def test_a_file_of_the_arena_that_cannot_be_read_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = package_at(tmp_path)

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(HostFault, match=r"__init__\.py: Permission denied"):
        freeze_of(package)
