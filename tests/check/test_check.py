"""Bots are checked: each fault is named by the rule that it breaks."""

from dataclasses import replace
from pathlib import Path

import pytest

from arena.bots.argument import choose
from arena.bots.templates import Language, write_bot
from arena.check.conditions import Conditions, default_conditions, event_conditions
from arena.check.rule import Rule, Standing
from arena.rules.presets import parse_ruleset
from tests.check.checks import CLOCK, broken, chaos, in_folder, verdict
from tests.cli.bots import KIT, bad_bot, write_event
from tests.cli.bots import write_bot as write_kit_bot


@pytest.mark.parametrize("language", [Language.PYTHON, Language.LINES])
def test_a_new_bot_passes_unchanged(language: Language, tmp_path: Path) -> None:
    write_bot(language, tmp_path / "mine")
    report = in_folder(tmp_path / "mine")
    assert report.is_good, report.verdicts
    assert report.boards >= 2
    standings = {v.rule: v.standing for v in report.verdicts}
    assert standings[Rule.LEGAL] is standings[Rule.EXIT] is Standing.GOOD
    assert standings[Rule.CLAIMS] is Standing.UNTRIED  # gamelake-2 has none
    assert standings[Rule.SANDBOX] is Standing.UNTRIED  # it was switched off


@pytest.mark.parametrize(
    ("act", "ruleset", "rule"),
    [
        ("silent_before_ready", "gamelake-2", Rule.READY),
        ("exit_after_last_card", "gamelake-2", Rule.STAYING),
        ("huge_message", "gamelake-2", Rule.STAYING),
        ("illegal", "gamelake-2", Rule.LEGAL),
        ("not_held", "gamelake-2", Rule.LEGAL),
        ("revoke", "italian-tournament", Rule.LEGAL),
        ("false_claim", "pagat-2", Rule.CLAIMS),
        ("unheard_signal", "italian-tournament", Rule.CLAIMS),
        ("malformed", "gamelake-2", Rule.MESSAGES),
        ("unsolicited", "gamelake-2", Rule.MESSAGES),
        ("too_slow", "gamelake-2", Rule.TIME),
        ("silent_at_goodbye", "gamelake-2", Rule.EXIT),
    ],
)
def test_a_fault_is_named_by_its_rule(act: str, ruleset: str, rule: Rule) -> None:
    report = chaos(act, ruleset)
    assert not report.is_good
    assert rule in broken(report), report.verdicts
    found = verdict(report, rule)
    assert found.found
    assert found.cure


def test_answers_to_questions_that_were_answered_are_named_and_harmless() -> None:
    report = chaos("stale")
    assert report.is_good
    assert verdict(report, Rule.MESSAGES).standing is Standing.CAREFUL


def test_a_bot_that_dies_of_its_first_late_answer_is_found(tmp_path: Path) -> None:
    """The kit prints what was refused; a bot that takes it for a reason to go is wrong."""
    head = """
from arena.sdk.session import Session
def rejected(self, message, answers): os._exit(3)
Session._rejected = rejected
"""
    report = in_folder(bad_bot(tmp_path / "touchy", "pass", start=head))
    assert broken(report) == {Rule.STALE, Rule.EXIT}, report.verdicts


def test_a_bot_that_cannot_be_built_is_told_why(tmp_path: Path) -> None:
    write_bot(Language.PYTHON, tmp_path / "mine")
    with (tmp_path / "mine" / "bot.toml").open("a") as manifest:
        manifest.write('build = ["python", "-c", "raise SystemExit(5)"]\n')
    report = in_folder(tmp_path / "mine")
    assert broken(report) == {Rule.BUILD}
    assert "status 5" in verdict(report, Rule.BUILD).found


def test_a_bot_that_does_not_play_the_events_ruleset_is_told_before_it_is_built(
    tmp_path: Path,
) -> None:
    write_bot(Language.PYTHON, tmp_path / "mine")
    with (tmp_path / "mine" / "bot.toml").open("a") as manifest:
        manifest.write('rulesets = ["pagat-4"]\n')
    report = in_folder(tmp_path / "mine")
    assert broken(report) == {Rule.MANIFEST}
    assert verdict(report, Rule.MANIFEST).found == "bot mine plays pagat-4, not gamelake-2"


def test_a_bot_of_several_tables_is_tried_at_several(tmp_path: Path) -> None:
    folder = tmp_path / "many"
    script = KIT.replace("class Middle(Bot):", "class Middle(Bot):\n    capacity = 3")
    write_kit_bot(folder, script, manifest="capacity = 3")
    tables = verdict(in_folder(folder), Rule.TABLES)
    assert (tables.standing, tables.found) == (Standing.GOOD, "3 at once")


def test_the_report_is_bound_to_content_and_conditions(tmp_path: Path) -> None:
    conditions = Conditions(rulesets=(parse_ruleset("gamelake-2"),))
    other = replace(conditions, clock=CLOCK)
    assert conditions.digest != other.digest
    assert conditions.digest == replace(conditions, source="elsewhere").digest


def test_an_events_file_gives_the_conditions(tmp_path: Path) -> None:
    more = "[clock]\nlimit_ms = 321\n[resources]\nmemory = 777\n"
    file = write_event(tmp_path / "cup.toml", "a", "b", more=more)
    conditions = event_conditions(file)
    assert conditions.clock.limit_ms == 321
    assert conditions.resources.memory_mib == 777
    assert [ruleset.name for ruleset in conditions.rulesets] == ["gamelake-2"]


def test_a_bot_is_checked_in_the_rulesets_that_it_claims(tmp_path: Path) -> None:
    write_bot(Language.LINES, tmp_path / "mine")
    with (tmp_path / "mine" / "bot.toml").open("a") as manifest:
        manifest.write('rulesets = ["pagat-2", "pagat-4"]\n')
    conditions = default_conditions(choose(tmp_path / "mine").manifest)
    assert {ruleset.name for ruleset in conditions.rulesets} == {"pagat-2", "pagat-4"}
