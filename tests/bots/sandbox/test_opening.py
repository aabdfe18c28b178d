"""What decides which sandbox a run gets."""

import errno
import shutil
from collections.abc import Callable

import pytest

from arena.bots.sandbox import opening
from arena.bots.sandbox.landlock import LEAST_ABI
from arena.bots.sandbox.mode import SandboxMode
from arena.bots.sandbox.opening import open_sandbox
from arena.errors import HostFault

FULL = "No space left on device"


def one_file() -> None:
    raise OSError(errno.ENOSPC, FULL)


def many_files() -> None:
    raise shutil.Error([("from", "to", f"[Errno 28] {FULL}: 'from' -> 'to'")])


@pytest.mark.parametrize("refuse", [one_file, many_files])
@pytest.mark.parametrize("mode", [SandboxMode.AUTO, SandboxMode.REQUIRED, SandboxMode.LANDLOCK])
async def test_a_full_disk_is_the_hosts_fault_and_no_reason_for_a_weaker_sandbox(
    monkeypatch: pytest.MonkeyPatch, mode: SandboxMode, refuse: Callable[[], None]
) -> None:
    monkeypatch.setattr(opening, "find_bubblewrap", lambda: ("/usr/bin/bwrap", frozenset()))
    monkeypatch.setattr(opening, "landlock_abi", lambda: LEAST_ABI)
    monkeypatch.setattr(opening, "make_kit", lambda *_, **__: refuse())
    said: list[str] = []
    with pytest.raises(HostFault, match=rf"/arena-.*{FULL}; make room, or set TMPDIR"):
        async with open_sandbox(mode, hidden=(), say=said.append):
            pytest.fail("there is none")
    assert said == []
