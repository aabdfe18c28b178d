"""What doctor finds, on whatever machine the tests run."""

import errno
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.bots import work_folder
from arena.bots.build_store import BuildStore
from arena.bots.cgroups import Cgroups, Guard
from arena.bots.doctor import guards
from arena.bots.doctor.guards import guard_probes
from arena.bots.doctor.machine import available_memory, machine_probes
from arena.bots.doctor.probe import Probe, Standing, fact, verdict


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


def test_control_groups_are_told_as_a_run_has_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is lacking is named with what it costs: without a freezer, thinking out of turn."""
    held: frozenset[Guard] = frozenset(Guard)

    @contextmanager
    def found() -> Iterator[Cgroups]:
        cgroups = Cgroups({})
        cgroups.guards = held
        yield cgroups

    def probe() -> Probe:
        return {probe.what: probe for probe in guard_probes()}["control groups of a run"]

    monkeypatch.setattr(guards, "open_cgroups", found)
    assert (probe().standing, probe().cure) == (Standing.HOLDS, "")
    held = frozenset({Guard.MEMORY, Guard.TASKS, Guard.CPU})
    assert probe().standing is Standing.NOT
    assert probe().found == (
        "cgroup-memory, cgroup-tasks, cgroup-cpu; "
        "not cgroup-freezing: bots can think while others decide"
    )
    assert "Delegate=yes" in probe().cure


def test_a_folder_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """However much is free there."""

    def refuse(**_: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    (probe,) = [probe for probe in machine_probes() if probe.what == "disk here"]
    assert probe.standing is Standing.NOT
    assert "not writable: Read-only file system" in probe.found
    assert "another folder" in probe.cure


def test_kept_builds_are_told_with_their_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told() -> str:
        (probe,) = [probe for probe in machine_probes() if probe.what == "builds kept"]
        assert probe.standing is Standing.FACT
        return probe.found

    assert told() == "none: ARENA_CACHE is 'off'"
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "made").write_bytes(bytes(3 << 20))
    assert told() == f"0 of at most 32, 0 of 4096 MiB, in {tmp_path}/builds"
    store = BuildStore(folder=tmp_path / "builds")
    store.keep("a" * 64, tree, name="made", digest="", check=lambda: None)
    assert told() == f"1 of at most 32, 3 of 4096 MiB, in {tmp_path}/builds"


def test_available_memory_is_in_bytes() -> None:
    memory = available_memory()
    assert memory is None or 1 << 20 < memory < 1 << 50


def test_sockets_lie_elsewhere_where_the_temporary_folder_has_a_long_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("x" * 120)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    probe = {probe.what: probe for probe in machine_probes()}["Unix socket path"]
    assert (probe.standing, probe.found) == (Standing.HOLDS, "sockets lie in /tmp")
    monkeypatch.setattr(work_folder, "_SHORTEST", deep)
    probe = {probe.what: probe for probe in machine_probes()}["Unix socket path"]
    assert probe.standing is Standing.NOT
    assert f"TMPDIR: {deep} is too long" in probe.found
    assert "TMPDIR" in probe.cure
