"""What doctor finds, on whatever machine the tests run."""

import tempfile
from pathlib import Path

import pytest

from arena.bots.doctor import guards
from arena.bots.doctor.guards import guard_probes
from arena.bots.doctor.machine import available_memory, machine_probes
from arena.bots.doctor.probe import Standing, fact, verdict


def test_every_probe_says_something_and_no_two_have_a_name() -> None:
    probes = [*guard_probes(), *machine_probes()]
    names = [probe.what for probe in probes]
    assert len(names) == len(set(names)) >= 20
    assert all(probe.found for probe in probes)


def test_a_cure_is_told_only_where_something_does_not_hold() -> None:
    assert verdict("a", "found", holds=True, cure="cure").cure == ""
    lacking = verdict("a", "found", holds=False, cure="cure")
    assert (lacking.standing, lacking.cure) == (Standing.NOT, "cure")
    assert fact("a", "found").standing is Standing.FACT


def test_without_bubblewrap_the_cure_is_its_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    (probe,) = [probe for probe in guard_probes() if probe.what.startswith("bubblewrap")]
    assert (probe.standing, probe.cure) == (Standing.NOT, "apt install bubblewrap")


def test_a_bubblewrap_that_fails_is_told_with_its_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bwrap = tmp_path / "bwrap"
    bwrap.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n")
    bwrap.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    probes = {probe.what: probe for probe in guard_probes()}
    assert probes["bubblewrap works"].standing is Standing.NOT
    assert "setting up uid map: Permission denied" in probes["bubblewrap works"].found
    assert "userns," in probes["bubblewrap works"].cure
    assert "--seccomp" in probes["bubblewrap options"].found


def test_a_group_that_cannot_be_made_is_no_writable_controller(tmp_path: Path) -> None:
    assert guards._can_make_group(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert not guards._can_make_group(tmp_path / "missing")


def test_available_memory_is_in_bytes() -> None:
    memory = available_memory()
    assert memory is None or 1 << 20 < memory < 1 << 50


def test_a_long_temporary_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    probes = {probe.what: probe for probe in machine_probes()}
    assert probes["Unix socket path"].standing is Standing.NOT
    assert "TMPDIR" in probes["Unix socket path"].cure
