"""Small bots, good and bad, written on the spot."""

from pathlib import Path
from textwrap import dedent, indent

LINES = """
import json, os, sys, time

count = 0
for line in sys.stdin:
    decision = json.loads(line).get("decision")
    if decision:
        count += 1
        legal = decision["card"]["legal"]
        ACT
        answer = {"decision_id": decision["decision_id"], "card": legal[CHOICE]}
        print(json.dumps({"answer": answer}), flush=True)
"""
"""A bot that speaks lines: it starts five times faster than one that speaks gRPC."""

LOW = LINES.replace("ACT", "").replace("CHOICE", "0")
HIGH = LINES.replace("ACT", "").replace("CHOICE", "-1")
SPEAKS_LINES = """
protocol = "lines"
ready = "implied"
"""

KIT = """
from arena.sdk import Bot, Card, View

class Middle(Bot):
    def play(self, view: View) -> Card:
        return view.legal[len(view.legal) // 2]

Middle().run()
"""
"""A bot on the kit."""

RAW = '''
"""Speaks the protocol by hand, and breaks it as ``options.mode`` says."""
import asyncio, os, sys
import grpc
from arena.v1 import play_pb2
from arena.v1.play_pb2 import BotMessage, PlayRequest

MODE = os.environ["ARENA_OPTION_MODE"]
played = 0

async def write(call, **message):
    await call.write(PlayRequest(messages=[BotMessage(**message)]).SerializeToString())

async def main():
    global played
    async with grpc.aio.insecure_channel(os.environ["ARENA_ADDRESS"]) as channel:
        call = channel.stream_stream(
            "/arena.v1.RefereeService/Play",
            response_deserializer=play_pb2.PlayResponse.FromString,
        )()
        if MODE == "rubbish":
            await call.write(b"\\xff\\xff this is no frame")
        elif MODE == "impostor":
            await write(call, join=play_pb2.Join(protocol_version=1, token="0" * 32))
        elif MODE == "silent":
            pass
        else:
            token = os.environ["ARENA_TOKEN"]
            await write(call, join=play_pb2.Join(protocol_version=1, token=token, name="raw"))
        async for frame in call:
            for message in frame.messages:
                match message.WhichOneof("message"):
                    case "match_started":
                        if MODE != "never ready":
                            await write(call, ready={"table": message.match_started.table})
                    case "decision":
                        played += 1
                        if await answer(call, message.decision):
                            return
                    case "rejected":
                        print("rejected:", message.rejected.message, file=sys.stderr)
                    case "goodbye":
                        await call.done_writing()

async def answer(call, decision):
    if MODE == "half-close" and played == 3:
        await call.done_writing()
        await asyncio.sleep(3600)
    if MODE == "leave" and played == 3:
        await write(call, leave={"reason": "enough"})
        return False
    if MODE == "garbage":
        await call.write(b"\\xff\\xff this is no answer")
    card = decision.card.legal[0]
    await write(call, answer={"decision_id": decision.decision_id, "card": card})
    return MODE == "quit" and not decision.observation.hand[1:]

asyncio.run(main())
'''
RAW_OPTIONS = """
[options.mode]
type = "text"
default = "good"
"""


def write_bot(
    folder: Path, script: str = LOW, *, name: str | None = None, manifest: str | None = None
) -> Path:
    """Write a bot in Python: a script ``bot.py`` and a manifest; by default it speaks lines."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "bot.py").write_text(dedent(script), encoding="utf-8")
    own = (SPEAKS_LINES if "sys.stdin" in script else "") if manifest is None else dedent(manifest)
    keys = {
        "name": f'"{name or folder.name}"',
        "version": '"1.0"',
        "language": '"python"',
        "run": '["python", "bot.py"]',
    }
    lines = [f"{key} = {value}" for key, value in keys.items() if f"{key} =" not in own]
    (folder / "bot.toml").write_text("\n".join([*lines, own]), encoding="utf-8")
    return folder


def slow_bot(folder: Path, seconds: float) -> Path:
    """Write a bot that speaks lines and thinks so long over each card."""
    act = f"time.sleep({seconds})"
    return write_bot(folder, LINES.replace("ACT", act).replace("CHOICE", "0"))


def write_raw_bot(folder: Path) -> Path:
    """Write the bot that breaks the protocol as its option ``mode`` says."""
    return write_bot(folder, RAW, manifest=RAW_OPTIONS)


def write_event(
    file: Path,
    *bots: str,
    seed: str | None = "a text",
    boards: int = 1,
    per_match: int = 1,
    ruleset: str = "gamelake-2",
    more: str = "",
    stage: str = "trust_memory = true",
) -> Path:
    """Write an event of bots that lie beside it.

    Two seats by default, so that a table takes two processes only.
    """
    entrants = "".join(f"\n[[entrant]]\nbot = './{bot}'\n" for bot in bots)
    secret = f"practice = true\nseed = {seed!r}\n" if seed else ""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(
        f'name = "cup"\n{secret}{more}\n[ruleset]\nname = "{ruleset}"\n{entrants}\n'
        f"[[stage]]\nboards = {boards}\nboards_per_match = {per_match}\n{stage}\n",
        encoding="utf-8",
    )
    return file


def bad_bot(folder: Path, act: str, *, start: str = "") -> Path:
    """Write a bot on the kit that does something before it plays its first legal card.

    ``act`` may use ``self.count``, the number of the card from 1, and return a card;
    ``start`` is run before the bot joins.
    """
    script = f"""
import os, signal, sys, time
from arena.sdk import Bot, Card, View
{dedent(start)}
class Bad(Bot):
    count = 0

    def play(self, view: View) -> Card:
        self.count += 1
{indent(dedent(act).strip(), " " * 8)}
        return view.legal[0]

Bad().run()
"""
    return write_bot(folder, script)
