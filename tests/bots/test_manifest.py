"""The manifest says exactly what it means, or why it does not."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from arena.bots.manifest import (
    Manifest,
    ReadyStyle,
    Talk,
    Transport,
    manifest_schema,
    read_manifest,
)
from arena.bots.options import Option
from arena.bots.strict_toml import parse_toml, read_toml
from arena.errors import ConfigError
from arena.rules.ruleset import Ruleset

GOOD = """
name = "Éléonore 🂡"
version = "1.2"
authors = ["A. Nonymous"]
language = "go"
build = ["go", "build", "-o", "bot", "."]
run = ["./bot"]
needs = ["/usr/share/zoneinfo"]
protocol = "lines"
ready = "implied"
transport = "tcp"
capacity = 8
rulesets = ["gamelake-4"]
seats = [4]

[options.depth]
type = "int"
default = 3
min = 1
max = 9
help = "How far it looks."

[options.style]
type = "text"
default = "calm"
choices = ["calm", "bold"]
"""

MINIMAL = 'name = "b"\nversion = "1"\nrun = ["./b"]\n'


def write(folder: Path, text: str) -> Path:
    (folder / "bot.toml").write_text(text, encoding="utf-8")
    return folder


def refused(folder: Path, text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read_manifest(write(folder, text))
    return str(caught.value)


def test_every_key_is_read(tmp_path: Path) -> None:
    manifest = read_manifest(write(tmp_path, GOOD))
    assert manifest.name == "Éléonore 🂡"
    assert manifest.build_steps == (("go", "build", "-o", "bot", "."),)
    assert manifest.protocol is Talk.LINES
    assert manifest.ready is ReadyStyle.IMPLIED
    assert manifest.transport is Transport.TCP
    assert (manifest.capacity, manifest.seats) == (8, (4,))
    assert manifest.options["depth"].default == 3


def test_three_keys_are_enough(tmp_path: Path) -> None:
    manifest = read_manifest(write(tmp_path, MINIMAL))
    assert manifest.protocol is Talk.GRPC
    assert not manifest.implies_ready
    assert manifest.transport is Transport.UNIX
    assert (manifest.capacity, manifest.build_steps, manifest.seats) == (1, (), ())


def test_bots_that_speak_lines_are_ready_unless_they_want_to_say_so(tmp_path: Path) -> None:
    lines = MINIMAL + 'protocol = "lines"\n'
    assert read_manifest(write(tmp_path, lines)).implies_ready
    assert not read_manifest(write(tmp_path, lines + 'ready = "explicit"\n')).implies_ready


def test_a_build_may_have_several_commands(tmp_path: Path) -> None:
    text = MINIMAL + 'build = [["npm", "ci"], ["npm", "run", "build"]]\n'
    steps = read_manifest(write(tmp_path, text)).build_steps
    assert steps == (("npm", "ci"), ("npm", "run", "build"))


def test_a_manifest_cannot_be_changed(tmp_path: Path) -> None:
    manifest = read_manifest(write(tmp_path, MINIMAL))
    with pytest.raises(AttributeError):
        manifest.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("capasity = 2\n", ["'capasity'", "'capacity'"]),
        ('versoin = "2"\n', ["'versoin'", "'version'"]),
        ('[options.depth]\ntipe = "int"\ndefault = 1\n', ["options.depth.tipe", "'type'"]),
        ('[options.depth]\ntype = "int"\n', ["options.depth.default", "missing"]),
        ('[options.depth]\ntype = "itn"\ndefault = 1\n', ["options.depth.type", "itn", "'int'"]),
        ('[options.depth]\ntype = "int"\ndefault = "x"\n', ["options.depth", "'x'", "int"]),
        ('[options.depth]\ntype = "int"\ndefault = 7\nmax = 5\n', ["options.depth", "5 or less"]),
        ('[options.a]\ntype = "text"\ndefault = "x"\nmin = 1\n', ["options.a", "numbers"]),
        ('[options.a]\ntype = "bool"\ndefault = true\nchoices = [1]\n', ["options.a", "bool"]),
        ('[options.A]\ntype = "int"\ndefault = 1\n', ["'A'", "a-z"]),
        ('protocol = "grcp"\n', ["protocol", "'grcp'", "grpc, lines", "'grpc'"]),
        ('transport = "pipe"\n', ["transport", "unix, tcp"]),
        (
            "capacity = 0\n",
            ["capacity = 0 is not allowed", "allowed: a whole number from 1 to"],
        ),
        ('capacity = "2"\n', ["capacity = '2'", "allowed: a whole number from 1 to 1024"]),
        ("seats = [4, 7]\n", ["seats[1] = 7", "allowed: a whole number from 2 to 4"]),
        ("seats = [3]\n", ["seats: [3] leaves nothing to play", "have 2 or 4"]),
        (
            'rulesets = ["pagat-2"]\nseats = [4]\n',
            ["seats: [4] leaves nothing", "of pagat-2 have 2"],
        ),
        (
            'rulesets = ["pagat-4", "gamelak-4"]\n',
            ["rulesets: 'gamelak-4' is none of gamelake-4, ", "did you mean 'gamelake-4'?"],
        ),
        ('rulesets = ["foo"]\n', ["rulesets: 'foo' is none of", "italian-tournament"]),
        ('build = ["make", ["go", "build"]]\n', ["build", "not both"]),
        ("build = [[]]\n", ["build", "empty"]),
        ('ready = "implied"\n', ["ready", "lines"]),
        ('ready = "implicit"\n', ["ready = 'implicit' is none of explicit, implied"]),
        ('authors = "me"\n', ["authors = 'me'", "allowed: a list, each member a text"]),
        ("needs = [1]\n", ["needs[0] = 1", "allowed: a text of 1 to 4096 characters"]),
    ],
)
def test_a_mistake_is_told_with_file_key_value_and_what_was_allowed(
    tmp_path: Path, text: str, told: list[str]
) -> None:
    message = refused(tmp_path, MINIMAL + text)
    assert message.startswith(str(tmp_path / "bot.toml"))
    for part in told:
        assert part in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('version = "1"\nrun = ["./b"]\n', "'name' is missing"),
        (
            'name = "b"\nversion = 1.0\nrun = ["./b"]\n',
            "version = 1.0 is not allowed; allowed: a text",
        ),
        ('name = "b"\nversion = "1"\nrun = []\n', "run = []"),
        ('name = "b"\nversion = "1"\nrun = "./b"\n', "run = './b'"),
        ('name = "b"\nversion = "1"\nrun = [""]\n', "run[0] = ''"),
        ('name = ""\nversion = "1"\nrun = ["b"]\n', "name = ''"),
        ('name = " b"\nversion = "1"\nrun = ["b"]\n', "name: ' b' is empty or has blanks"),
        ('name = "b\\u001b[2J"\nversion = "1"\nrun = ["b"]\n', "holds the control character"),
        ('name = "b\\u202e"\nversion = "1"\nrun = ["b"]\n', "holds the control character"),
        ('name = "b"\nname = "c"\n', "is no TOML"),
        ("name = \n", "is no TOML"),
    ],
)
def test_a_manifest_without_the_three_keys_is_refused(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(tmp_path, text)


@pytest.mark.parametrize("bad", ["[[[]]]", "1979-05-27", "{ x = [] }"])
@pytest.mark.parametrize("key", [one.name for one in msgspec.structs.fields(Manifest)])
def test_a_wrong_value_of_any_key_is_answered_with_what_is_allowed(
    tmp_path: Path, key: str, bad: str
) -> None:
    others = "".join(f"{line}\n" for line in MINIMAL.splitlines() if not line.startswith(key))
    message = refused(tmp_path, f"{key} = {bad}\n{others}")
    if (key, bad) == ("options", "{ x = [] }"):
        key = "options.x"
    told = rf"{re.escape(key)}(\[0\])* = .+ is not allowed; allowed: (a|true|\"[a-z]+\")"
    assert re.search(told, message), message


@pytest.mark.parametrize("key", [one.name for one in msgspec.structs.fields(Option)])
def test_a_wrong_value_in_an_option_is_answered_so_too(tmp_path: Path, key: str) -> None:
    whole = {"type": '"int"', "default": "1", key: "[[]]"}
    text = "".join(f"{name} = {value}\n" for name, value in whole.items())
    message = refused(tmp_path, f"{MINIMAL}[options.depth]\n{text}")
    assert re.search(rf"options\.depth\.{key}(\[0\])? = .+ is not allowed; allowed: ", message), (
        message
    )


def test_a_folder_without_manifest_is_refused_with_the_cure(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no bot\.toml in this folder; it needs name, version"):
        read_manifest(tmp_path)


def test_a_manifest_that_is_not_utf8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_bytes(b'name = "\xff"\n')
    with pytest.raises(ConfigError, match=r"is not UTF-8 \(byte 8\)"):
        read_manifest(tmp_path)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"cannot be read: Is a directory"):
        read_toml(tmp_path, Manifest)


def test_names_may_be_in_any_script(tmp_path: Path) -> None:
    for name in ("Zoë", "ночь", "עברית", 'quote " and \\\\', "👩‍🚀"):
        text = f"name = '''{name}'''\nversion = '1'\nrun = ['b']\n"
        assert read_manifest(write(tmp_path, text)).name == name


def test_a_bot_says_which_rulesets_it_does_not_play() -> None:
    manifest = Manifest(name="b", version="1", run=("b",), rulesets=("gamelake-4",), seats=(4,))
    assert manifest.refusal(Ruleset(name="gamelake-4:target=11")) is None
    assert "plays gamelake-4, not pagat-4" in (manifest.refusal(Ruleset(name="pagat-4")) or "")
    anything = Manifest(name="b", version="1", run=("b",))
    assert anything.refusal(Ruleset(name="pagat-4")) is None
    two = Manifest(name="b", version="1", run=("b",), seats=(2,))
    assert "not at 4" in (two.refusal(Ruleset(name="pagat-4")) or "")


def test_the_json_schema_names_every_key() -> None:
    schema = manifest_schema()
    json.dumps(schema)
    assert set(schema["$defs"]["Manifest"]["properties"]) == set(Manifest.__struct_fields__)
    assert schema["$defs"]["Manifest"]["additionalProperties"] is False


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = " + "[" * 900 + "]" * 900, "nested too deeply; allowed are 32"),
        ("x = " + "[" * 20_000, "nested too deeply"),
        ("x" + ".a" * 3_000 + " = 1", "x.a.a.a.*nested too deeply"),
        ("capacity = " + "9" * 5_000, "whole number of too many digits"),
        ("capacity = 0x" + "f" * 5_000, "capacity: a whole number of too many digits"),
        ("capacity = 9223372036854775808", "capacity: a whole number of too many digits"),
        ('[options.x]\ntype = "float"\ndefault = ' + "9" * 400, "options.x.default: a whole"),
        (f'[options.x]\ntype = "text"\ndefault = "{"x" * 20_000}"', "20000 bytes; .* 4096"),
    ],
    ids=["deep", "deeper", "dotted", "long", "hexadecimal", "65 bits", "float", "text"],
)
def test_what_is_beyond_reason_is_refused_in_a_few_words(
    tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(ConfigError, match=told) as caught:
        read_manifest(write(tmp_path, MINIMAL + text))
    assert len(str(caught.value)) < len(str(tmp_path)) + 250


def test_the_ends_of_64_bits_are_numbers_like_any_other() -> None:
    ends = b"a = 9223372036854775807\nb = -9223372036854775808"
    assert parse_toml(ends, "x.toml") == {"a": 2**63 - 1, "b": -(2**63)}


def test_a_manifest_made_to_be_parsed_for_hours_is_refused_unparsed(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(".".join(["a"] * 1_000_000) + " = 1\n")
    with pytest.raises(ConfigError, match=r"bot.toml: is longer than 32768 bytes"):
        read_manifest(tmp_path)
