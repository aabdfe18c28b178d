"""What of the organiser's settings reaches a build."""

from pathlib import Path

import pytest

from arena.bots.sandbox.tools import registry_files, registry_variables


def test_registries_reach_a_build_and_credentials_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {
        "https_proxy": "http://proxy:3128",
        "HTTP_PROXY": "http://me:hush@proxy:3128",
        "GOPROXY": "https://proxy.example",
        "npm_config_registry": "https://npm.example",
        "npm_config__auth": "aHVzaA==",
        "CARGO_REGISTRY_TOKEN": "hush",
        "AWS_SECRET_ACCESS_KEY": "hush",
        "ARENA_SECRET": "hush",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    found = registry_variables()
    assert {name for name in given if name in found} == {
        "https_proxy",
        "GOPROXY",
        "npm_config_registry",
    }


@pytest.mark.parametrize(
    ("text", "is_shown"),
    [("registry=https://npm.example\n", True), ("//npm.example/:_authToken=hush\n", False)],
)
def test_a_settings_file_is_copied_unless_it_holds_a_credential(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, *, is_shown: bool
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".npmrc").write_text(text)
    places = [bind.place for bind in registry_files(tmp_path / "copies", "/home-inside")]
    assert ("/home-inside/.npmrc" in places) is is_shown
