"""Whatever a stranger sends is unpacked whole and inside, or refused with nothing left."""

import io
import os
import shutil
import stat
import struct
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.bots.archive import ArchiveBounds, check_members, unpack
from arena.errors import ConfigError, HostFault
from tests.bots.archives import MANIFEST, member, write_zip

BOUNDS = ArchiveBounds(files=100, content_bytes=32 << 20, listing_bytes=1 << 20)

LINK = member("link", kind=stat.S_IFLNK, mode=0o777)


def refusal(archive: Path, bounds: ArchiveBounds = BOUNDS) -> str:
    """Unpack what must not be; give the one line of the refusal."""
    target = archive.with_name("out")
    before = sorted(archive.parent.iterdir())
    with pytest.raises(ConfigError) as caught:
        unpack(archive, target, bounds)
    assert not target.exists()
    assert sorted(archive.parent.iterdir()) == before
    assert "\n" not in str(caught.value)
    assert str(caught.value).isprintable()
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("../out.txt", "leads out"),
        ("a/../../out.txt", "leads out"),
        ("./a", "leads out"),
        ("a//b", "leads out"),
        ("/etc/passwd", "absolute name"),
        ("C:/x", "absolute name"),
        ("a\\..\\..\\b", "backslash"),
        ("a\x00b", "nobody sees"),
        ("a\nb", "nobody sees"),
        ("a\u202eb", "nobody sees"),
        ("", "leads out"),
        ("x" * 256, "256 bytes"),
        ("/".join(["abcdefghi"] * 110), "bytes; allowed"),
        ("/".join("a" * 65), "folders in one another"),
        ("Bot.toml", "one file on some systems"),
        ("bot.toml", "is there twice"),
        ("bot.toml/x", "is there twice"),
    ],
)
def test_a_name_that_leads_out_or_is_read_in_two_ways_is_refused(
    tmp_path: Path, name: str, says: str
) -> None:
    if name == "bot.toml":
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive = write_zip(tmp_path / "a.zip", [(member(name), b"x")])
    else:
        archive = write_zip(tmp_path / "a.zip", [(member(name), b"x")])
    assert says in refusal(archive)


@pytest.mark.parametrize(
    ("one", "other"), [("é", "e\u0301"), ("straße", "STRASSE"), ("d/x", "D/y"), ("d/", "d")]
)
def test_two_names_that_are_one_somewhere_are_refused(one: str, other: str) -> None:
    with pytest.raises(ConfigError, match=r"one file on some|is there twice"):
        check_members([one, other], source="a.zip")


def test_a_folder_may_stand_beside_what_is_in_it() -> None:
    check_members(["d/", "d/x", "d/y", "e/f/"], source="a.zip")


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        (LINK, "a link"),
        (member("d", kind=stat.S_IFCHR), "neither a file nor a folder"),
        (member("p", kind=stat.S_IFIFO), "neither a file nor a folder"),
        (member("s", kind=stat.S_IFSOCK), "neither a file nor a folder"),
        (member("f", kind=stat.S_IFDIR), "or reversed"),
        (member("b", method=zipfile.ZIP_BZIP2), "another method"),
        (member("l", method=zipfile.ZIP_LZMA), "another method"),
    ],
)
def test_what_is_no_plain_file_is_refused(
    tmp_path: Path, entry: zipfile.ZipInfo, says: str
) -> None:
    assert says in refusal(write_zip(tmp_path / "a.zip", [(entry, b"/etc/passwd")]))


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "a.zip", [(member("secret"), b"x")])
    content = bytearray(archive.read_bytes())
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    archive.write_bytes(content)
    assert "is encrypted" in refusal(archive)


def test_a_bomb_is_stopped_by_what_comes_out(tmp_path: Path) -> None:
    zeros = (member("z", method=zipfile.ZIP_DEFLATED), bytes(17 << 20))
    archive = write_zip(tmp_path / "a.zip", [zeros])
    assert "allowed are 200 for one" in refusal(archive)
    few = replace(BOUNDS, content_bytes=1 << 20)
    assert "more than 1048576 bytes come out" in refusal(archive, few)


def test_a_member_that_lies_about_its_size_is_refused(tmp_path: Path) -> None:
    """The size it tells is 1 in both places; what comes out is more."""
    archive = write_zip(
        tmp_path / "a.zip", [(member("z", method=zipfile.ZIP_DEFLATED), bytes(5000))]
    )
    content = archive.read_bytes().replace(struct.pack("<I", 5000), struct.pack("<I", 1))
    archive.write_bytes(content)
    assert "no zip that can be read" in refusal(archive)


def test_too_many_members_are_refused(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "a.zip", [(f"f{number}", b"") for number in range(9)])
    assert "more than 9 files" in refusal(archive, replace(BOUNDS, files=9))


def test_a_list_of_members_beyond_reason_is_not_read(tmp_path: Path) -> None:
    archive = write_zip(tmp_path / "a.zip", [(f"f{number}", b"") for number in range(2000)])
    short = replace(BOUNDS, listing_bytes=66_000)
    assert "more than 66000 bytes of names" in refusal(archive, short)


def test_an_archive_that_is_too_large_is_not_opened(tmp_path: Path) -> None:
    small = replace(BOUNDS, content_bytes=10, listing_bytes=0)
    assert "bytes; an archive may have 10" in refusal(write_zip(tmp_path / "a.zip", []), small)


def test_no_archive_fills_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine's want, not the archive's fault; nothing of it is left."""
    free = shutil.disk_usage(tmp_path)._replace(free=1999)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: free)
    archive = write_zip(tmp_path / "a.zip", [("x", bytes(1000 - len(MANIFEST)))])
    with pytest.raises(HostFault, match="unpacks to 1000 bytes, of 1999 that are free for it"):
        unpack(archive, tmp_path / "out", BOUNDS)
    assert list(tmp_path.iterdir()) == [archive]


def test_what_is_no_archive_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "a.zip"
    file.write_bytes(b"")
    assert "no zip that can be read" in refusal(file)
    file.write_bytes(os.urandom(5000))
    assert "no zip that can be read" in refusal(file)
    file.write_bytes(write_zip(tmp_path / "b.zip", []).read_bytes()[:-30])
    assert "no zip that can be read" in refusal(file)
    os.mkfifo(tmp_path / "pipe")
    assert "is no file" in refusal(tmp_path / "pipe")
    assert "is no file" in refusal(tmp_path)
    assert "No such file" in refusal(tmp_path / "none.zip")


def test_modes_are_the_arenas_own_but_for_executable(tmp_path: Path) -> None:
    archive = write_zip(
        tmp_path / "a.zip",
        [(member("x", mode=0o6777), b""), (member("y", mode=0o000), b""), ("z", b"")],
    )
    out = tmp_path / "out"
    unpack(archive, out, BOUNDS)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in out.iterdir()}
    assert modes == {"bot.toml": 0o644, "x": 0o755, "y": 0o644, "z": 0o644}


def whole() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("bot.toml", MANIFEST)
        archive.writestr(member("d/x", method=zipfile.ZIP_DEFLATED), b"abc" * 200)
        archive.writestr(member("y", mode=0o755), b"")
    return file.getvalue()


WHOLE = whole()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, len(WHOLE) - 1), st.integers(0, 255)), min_size=1, max_size=6)
)
def test_a_damaged_archive_is_unpacked_or_refused_and_never_more(
    tmp_path: Path, damage: list[tuple[int, int]]
) -> None:
    content = bytearray(WHOLE)
    for place, value in damage:
        content[place] = value
    archive, target = tmp_path / "a.zip", tmp_path / "out"
    archive.write_bytes(content)
    try:
        unpack(archive, target, BOUNDS)
    except ConfigError:
        assert not target.exists()
    else:
        assert target.is_dir()
        assert all(path.is_file() or path.is_dir() for path in target.rglob("*"))
        assert not any(path.is_symlink() for path in target.rglob("*"))
        shutil.rmtree(target)
    assert list(tmp_path.iterdir()) == [archive]
