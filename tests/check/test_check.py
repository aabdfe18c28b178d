"""Bots are checked: each fault is named by the rule that it breaks."""

import re
from functools import partial
from pathlib import Path

import pytest
import trio

from arena.bots.argument import choose
from arena.bots.exits import Exit, ExitKind
from arena.bots.manifest import read_manifest
from arena.bots.templates import Language, write_bot
from arena.check.checking import Report, check_bot
from arena.check.conditions import Conditions, StageTerms, default_conditions, event_conditions
from arena.check.evidence import Evidence
from arena.check.judging import judge
from arena.check.rule import Rule, Standing
from arena.check.trials import TIGHT_BOARDS
from arena.rules.presets import parse_ruleset
from arena.wire.terms import PROTOCOL_VERSION
from tests.check.checks import broken, chaos, in_folder, verdict
from tests.cli.bots import KIT, bad_bot, write_event
from tests.cli.bots import write_bot as write_kit_bot
from tests.sample_bots.bots import CHAOS


def test_what_cannot_be_tried_is_said(tmp_path: Path) -> None:
    write_bot(Language.LINES, tmp_path / "mine")
    report = in_folder(tmp_path / "mine")
    assert report.is_good, report.verdicts
    assert report.boards == 2 + 2 * TIGHT_BOARDS + 2
    untried = {v.rule: v.found for v in report.verdicts if v.standing is Standing.UNTRIED}
    assert untried == {
        Rule.CLAIMS: "no ruleset that was played has any",
        Rule.TABLES: "it plays one table at a time (capacity = 1)",
        Rule.SANDBOX: "none surrounded the bot here",
    }


def test_a_bot_that_fails_before_its_join_is_told_of_needs(tmp_path: Path) -> None:
    (tmp_path / "bot.toml").write_text(
        'name = "reader"\nversion = "1"\nrun = ["python", "-c", "open(\'/no/such/book\')"]\n'
    )
    report = in_folder(tmp_path)
    assert broken(report) == {Rule.START}, report.verdicts
    start = verdict(report, Rule.START)
    assert "No such file or directory: '/no/such/book'" in start.found
    assert "bot.toml names in needs" in start.cure


# What each act of the shipped bot that misbehaves is found as: the rule, and words of the finding
# (a pattern).
NAMED = {
    "silent_before_join": (Rule.START, "no Join within the start allowance"),
    "silent_after_join": (Rule.READY, "no Ready within 3000 ms"),
    "silent_before_ready": (Rule.READY, "no Ready within 3000 ms"),
    "silent_at_decision": (Rule.TIME, "late"),
    "silent_at_end": (Rule.READY, "not_ready"),
    "silent_at_goodbye": (Rule.EXIT, "was ended by the arena"),
    "too_slow": (Rule.TIME, "late"),
    "chatter": (Rule.MESSAGES, "unknown_decision"),
    "flood": (Rule.MESSAGES, "flood"),
    "half_close": (Rule.STAYING, "it has closed its stream without Leave"),
    "never_reading": (Rule.TIME, "late"),
    "stale": (Rule.REPEATED, "unsolicited"),
    "unsolicited": (Rule.MESSAGES, "was never asked"),
    "illegal": (Rule.LEGAL, "can follow suit, so it may not play"),
    "not_held": (Rule.LEGAL, "does not hold"),
    "revoke": (Rule.LEGAL, "could follow suit and played"),
    "false_claim": (Rule.CLAIMS, "a declaration was refused"),
    "unheard_signal": (Rule.CLAIMS, "a signal was refused"),
    "malformed": (Rule.MESSAGES, "are no arena.v1.PlayRequest"),
    # It dies of the refusal; on a busy machine not before the referee misses its stream.
    "huge_message": (Rule.STAYING, "^(crashed|left) "),
    "crash": (Rule.STAYING, "exited with status 1"),
    "exit_after_last_card": (Rule.STAYING, "exited with status 0"),
}
RULESETS = {
    "revoke": "italian-tournament",
    "false_claim": "pagat-2",
    "unheard_signal": "italian-tournament",
}
HARMLESS = {"honest", "slow", "duplicate"}


@pytest.mark.parametrize("act", NAMED)
def test_a_fault_is_named_by_its_rule(act: str) -> None:
    rule, words = NAMED[act]
    report = chaos(act, RULESETS.get(act, "gamelake-2"))
    assert rule in broken(report), report.verdicts
    found = verdict(report, rule)
    assert re.search(words, found.found), found.found
    assert found.cure


def test_every_act_on_the_wire_is_named() -> None:
    """Acts of the machine are the sandbox's: where it holds they come to nothing."""
    acts = set(read_manifest(CHAOS).options["act"].choices)
    of_the_machine = re.findall(
        r'^    "(\w+)": \w+\.\w+,$', (CHAOS / "bot.py").read_text("utf-8"), re.MULTILINE
    )
    assert acts - set(of_the_machine) == NAMED.keys() | HARMLESS


@pytest.mark.parametrize(
    ("act", "rule", "standing", "words"),
    [
        ("memory_hog", Rule.MEMORY, Standing.BAD, "needed more than"),
        ("stderr_flood", Rule.OUTPUT, Standing.CAREFUL, "more than 128 KiB"),
    ],
)
def test_what_takes_more_than_a_bot_may_have_is_named(
    act: str, rule: Rule, standing: Standing, words: str
) -> None:
    found = verdict(chaos(act), rule)
    assert found.standing is standing
    assert words in found.found


@pytest.mark.parametrize("act", ["crash", "exit_after_last_card", "flood"])
def test_a_bot_that_went_too_early_is_not_told_of_its_exit_as_well(act: str) -> None:
    report = chaos(act)
    assert Rule.EXIT not in broken(report)
    assert verdict(report, Rule.EXIT).found == "no process stayed until Goodbye"


def test_answers_to_questions_that_were_answered_are_named() -> None:
    found = verdict(chaos("stale"), Rule.MESSAGES)
    assert found.standing is Standing.CAREFUL
    assert re.match(r"answered \d+ questions? again", found.found)


def test_a_bot_that_dies_of_its_first_late_answer_is_found(tmp_path: Path) -> None:
    """The kit prints what was refused; a bot that takes it for a reason to go is wrong."""
    head = """
from arena.sdk.session import Session
def rejected(self, message, answers): os._exit(3)
Session._rejected = rejected
"""
    report = in_folder(bad_bot(tmp_path / "touchy", "pass", start=head))
    assert broken(report) == {Rule.STALE}, report.verdicts


def test_a_bot_that_stumbles_over_a_question_that_comes_again_is_found(tmp_path: Path) -> None:
    script = """
from arena.sdk import Bot

class Puzzled(Bot):
    def match_started(self, match):
        self.seen = set()

    def play(self, view):
        assert (view.deal, view.hand) not in self.seen, "asked again"
        self.seen.add((view.deal, view.hand))
        return view.legal[0]

Puzzled().run()
"""
    report = in_folder(write_kit_bot(tmp_path / "puzzled", script))
    assert broken(report) == {Rule.REPEATED}, report.verdicts
    assert "asked again" in verdict(report, Rule.REPEATED).found


def test_a_bot_that_answers_a_question_otherwise_the_second_time_is_told(tmp_path: Path) -> None:
    act = "return view.legal[self.count % len(view.legal)]"
    report = in_folder(bad_bot(tmp_path / "moody", act))
    assert report.is_good, report.verdicts
    assert "answered" in verdict(report, Rule.REPEATED).found


def test_answers_near_the_limit_are_counted(tmp_path: Path) -> None:
    report = in_folder(bad_bot(tmp_path / "slow", "if self.count == 3: time.sleep(0.36)"))
    found = verdict(report, Rule.TIME)
    assert found.standing is Standing.CAREFUL, report.verdicts
    assert re.search(r"\(in gamelake-2\) of 400 ms, over \d+ answers, \d+ of them above 320 ms",
                     found.found)  # fmt: skip


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


def test_a_capacity_that_join_does_not_confirm_is_told(tmp_path: Path) -> None:
    report = in_folder(write_kit_bot(tmp_path / "modest", KIT, manifest="capacity = 3"))
    assert report.is_good, report.verdicts
    tables = verdict(report, Rule.TABLES)
    assert tables.standing is Standing.CAREFUL
    assert "capacity = 3, its Join says 1" in tables.found


CUP = """name = "cup"
practice = true
seed = "a text"

[clock]
limit_ms = 400
margin_ms = 5000
start_ms = 5000

[conduct]
late = 10

[resources]
memory = 777

[sandbox]
mode = "none"

[ruleset]
name = "gamelake-2"

[[entrant]]
bot = "greedy"

[[entrant]]
bot = "random"
"""


def bound(folder: Path, file: Path, cup: str = CUP) -> str:
    """Check a bot in an organiser's terms; give what the report is bound to."""
    file.write_text(cup, "utf-8")
    conditions = event_conditions(file)
    report = trio.run(partial(check_bot, choose(folder), conditions, say=lambda _: None))
    assert report.is_good, report.verdicts
    return report.binding


def test_one_byte_of_the_folder_unbinds_a_report(tmp_path: Path) -> None:
    folder = write_kit_bot(tmp_path / "mine")
    before = bound(folder, tmp_path / "cup.toml")
    assert bound(folder, tmp_path / "cup.toml") == before
    script = folder / "bot.py"
    script.write_text(script.read_text("utf-8").replace("count = 0", "count = 1"), "utf-8")
    assert bound(folder, tmp_path / "cup.toml") != before


@pytest.mark.parametrize(
    ("old", "new", "holds"),
    [
        ("limit_ms = 400", "limit_ms = 401", False),
        ("late = 10", "late = 11", False),
        ("memory = 777", "memory = 778", False),
        ('"gamelake-2"', '"gamelake-2:target=22"', False),
        ('"cup"', '"cap"', True),
        ('bot = "random"', 'bot = "learner"', True),
    ],
)
def test_a_report_is_bound_to_what_a_bot_meets_and_to_nothing_else(
    tmp_path: Path, old: str, new: str, *, holds: bool
) -> None:
    file = tmp_path / "cup.toml"
    digests = []
    for text in (CUP, CUP.replace(old, new)):
        file.write_text(text, "utf-8")
        digests.append(event_conditions(file).digest)
    assert CUP.count(old) == 1
    assert (digests[0] == digests[1]) is holds


def test_another_version_of_the_protocol_unbinds_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    report = Report(
        name="mine",
        version="1",
        bot_hash="0" * 64,
        conditions=Conditions(stages=(StageTerms(rulesets=(parse_ruleset("gamelake-2"),)),)),
        is_full=False,
        boards=0,
        verdicts=(),
    )
    before = report.binding
    monkeypatch.setattr("arena.check.checking.PROTOCOL_VERSION", PROTOCOL_VERSION + 1)
    assert report.binding != before


def test_a_bot_that_takes_its_time_is_not_told_to_exit_sooner(tmp_path: Path) -> None:
    """Questions that it was too late for wait for it; it has answered them before it goes."""
    report = in_folder(bad_bot(tmp_path / "thinker", "time.sleep(0.06)"))
    assert report.is_good, report.verdicts
    assert report.boards == 2 + 2 * 1 + 2
    assert verdict(report, Rule.STALE).standing is Standing.GOOD, report.verdicts


def test_a_bot_that_ends_well_only_when_told_to_is_told_so() -> None:
    told = Exit(kind=ExitKind.EXITED, value=0, command="x", elapsed_ns=2 * 10**9, is_ours=True)
    conditions = Conditions(stages=(StageTerms(rulesets=()),))
    found = {v.rule: v for v in judge(Evidence(goodbyes=[told]), conditions)}[Rule.EXIT]
    assert found.standing is Standing.BAD
    assert found.found.startswith("did not end by itself after Goodbye")


def test_what_a_bot_never_did_is_not_called_good(tmp_path: Path) -> None:
    report = in_folder(bad_bot(tmp_path / "dying", "os._exit(1)"))
    assert broken(report) == {Rule.STAYING}, report.verdicts
    for rule in (Rule.LEGAL, Rule.CLAIMS, Rule.MESSAGES, Rule.TIME):
        assert verdict(report, rule).standing is Standing.UNTRIED, rule


STAGES = """
[[stage]]
boards = 2
[[stage]]
boards = 2
[stage.ruleset]
name = "gamelake-4"
[[stage]]
boards = 2
[stage.clock]
limit_ms = 20
margin_ms = 0
start_ms = 5000
[stage.resources]
memory = 555
"""


def test_every_stage_gives_its_own_conditions(tmp_path: Path) -> None:
    (tmp_path / "cup.toml").write_text(CUP + STAGES, "utf-8")
    conditions = event_conditions(tmp_path / "cup.toml")
    first, second = conditions.stages
    assert [ruleset.name for ruleset in first.rulesets] == ["gamelake-2", "gamelake-4"]
    assert [ruleset.name for ruleset in second.rulesets] == ["gamelake-2"]
    assert (first.clock.limit_ms, second.clock.limit_ms) == (400, 20)
    assert (first.resources.memory_mib, second.resources.memory_mib) == (777, 555)
    (tmp_path / "cap.toml").write_text(CUP + STAGES.replace("555", "556"), "utf-8")
    assert event_conditions(tmp_path / "cap.toml").digest != conditions.digest


def test_a_bot_too_slow_for_a_later_stage_is_found(tmp_path: Path) -> None:
    folder = bad_bot(tmp_path / "thinker", "time.sleep(0.06)")
    (tmp_path / "cup.toml").write_text(CUP + STAGES, "utf-8")
    conditions = event_conditions(tmp_path / "cup.toml")
    report = trio.run(partial(check_bot, choose(folder), conditions, say=lambda _: None))
    assert broken(report) == {Rule.TIME}, report.verdicts
    assert "allowed were 20 ms" in verdict(report, Rule.TIME).found


def test_an_events_file_gives_the_conditions(tmp_path: Path) -> None:
    more = "[clock]\nlimit_ms = 321\n[resources]\nmemory = 777\n"
    file = write_event(tmp_path / "cup.toml", "a", "b", more=more)
    conditions = event_conditions(file)
    (stage,) = conditions.stages
    assert stage.clock.limit_ms == 321
    assert stage.resources.memory_mib == 777
    assert [ruleset.name for ruleset in conditions.rulesets] == ["gamelake-2"]


def test_a_bot_is_checked_in_the_rulesets_that_it_claims(tmp_path: Path) -> None:
    write_bot(Language.LINES, tmp_path / "mine")
    with (tmp_path / "mine" / "bot.toml").open("a") as manifest:
        manifest.write('rulesets = ["pagat-2", "pagat-4"]\n')
    conditions = default_conditions(choose(tmp_path / "mine").manifest)
    assert {ruleset.name for ruleset in conditions.rulesets} == {"pagat-2", "pagat-4"}
