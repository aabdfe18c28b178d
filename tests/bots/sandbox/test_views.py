"""What of this machine a bot's program brings along."""

from pathlib import Path

import pytest

from arena.bots.sandbox.views import etc_view, program_view


def toolchain(folder: Path, answer: str) -> tuple[Path, Path]:
    """Make a home's ``.cargo`` with a rustup that gives this answer, and a toolchain."""
    own, real = folder / "home" / ".cargo" / "bin", folder / "toolchains" / "stable" / "bin"
    for place in (own, real):
        place.mkdir(parents=True)
    (own / "rustup").write_text(f"#!/bin/sh\n{answer}\n")
    (real / "cargo").write_text("#!/bin/sh\n")
    for file in (own / "rustup", real / "cargo"):
        file.chmod(0o755)
    return own, real


@pytest.mark.parametrize("is_link", [True, False])
def test_a_program_of_rustups_brings_its_toolchain_and_not_the_homes_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_link: bool
) -> None:
    """Rustup puts itself beside its programs as a symbolic link or as a hard one."""
    real = tmp_path / "toolchains" / "stable" / "bin" / "cargo"
    own, _ = toolchain(tmp_path, f'[ "$1 $2" = "which cargo" ] && echo "{real}"')
    if is_link:
        (own / "cargo").symlink_to("rustup")
    else:
        (own / "cargo").hardlink_to(own / "rustup")
    monkeypatch.setenv("PATH", str(own), prepend=":")
    seen = {bind.place for bind in program_view("cargo", tmp_path / "bot", ())}
    assert seen == {str(tmp_path / "toolchains" / "stable")}


def test_a_rustup_that_knows_no_toolchain_is_left_to_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, _ = toolchain(tmp_path, "exit 1")
    (own / "cargo").symlink_to("rustup")
    monkeypatch.setenv("PATH", str(own), prepend=":")
    seen = {bind.place for bind in program_view("cargo", tmp_path / "bot", ())}
    assert seen == {str(own.parent)}


def test_debians_maven_finds_its_settings() -> None:
    shown = {bind.place for bind in etc_view(has_network=False)}
    for name in ("m2.conf", "logging"):
        file = Path("/etc/maven", name)
        assert (str(file) in shown) is file.exists()
    assert "/etc/maven/settings.xml" not in shown  # it may name servers with passwords
