"""RemoteRoom: the public address of a run, open while it plays.

Owns opening it for the entrants that run elsewhere, and the wait for them before the first
match. Must not know how a match is played. Source: commands.md (``serve``).
"""

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

import trio

from arena.bots.seating import GRACE_MS
from arena.server.public_listener import ListenPlan, open_public_listener
from arena.server.remote_doors import RemoteDoors
from arena.server.runtime import GrpcRuntime
from arena.tournament.accounting import note_remote
from arena.tournament.remote_tokens import make_tokens, remote_entrants
from arena.tournament.run_state import ARENA_VERSION, RunState
from arena.tournament.stopping import Stopper
from arena.wire.codec import ProtoCodec


@dataclass(frozen=True, slots=True, kw_only=True)
class RemotePlan:
    """How a run takes remote bots in."""

    listen: ListenPlan = field(default_factory=ListenPlan)
    wait_s: float | None = None
    """How long the first match waits for them all; None: the longest start allowance."""
    shows_tokens: bool = False
    """Whether the awaited are told with address and token: to a single author at a terminal."""
    say: Callable[[str], None]
    """Takes what the organiser must know: address, and who is awaited."""


@asynccontextmanager
async def open_remote_room(
    run: RunState, runtime: GrpcRuntime, plan: RemotePlan, stopper: Stopper
) -> AsyncIterator[RemoteDoors | None]:
    """Open the address and wait for the bots; None where no entrant is remote.

    Those that do not come in time are absent, and forfeit as not ready.
    """
    names = remote_entrants(run.event)
    if not names:
        yield None
        return
    tokens = make_tokens(run.event, run.folder.path)
    async with trio.open_nursery() as nursery:
        doors = RemoteDoors(
            nursery,
            {token: name for name in names for token in tokens[name]},
            ProtoCodec(),
            capacity=min(stage.capacity for stage in run.event.stages),
            server=ARENA_VERSION,
            note_end=partial(note_remote, run),
        )
        async with open_public_listener(runtime, plan.listen, doors.take) as address:
            plan.say(f"remote bots join at {address}; tokens: arena token {run.folder.path}")
            shown = {
                (name, number): f": start it with ARENA_ADDRESS={address} ARENA_TOKEN={token}"
                for name in names
                for number, token in enumerate(tokens[name], start=1)
                if plan.shows_tokens
            }
            await _wait_for(doors, run, plan, stopper, shown)
            yield doors
            doors.say_goodbye(stopper.reason, GRACE_MS)
        with trio.move_on_after(GRACE_MS / 1000):
            await doors.all_ended()
        nursery.cancel_scope.cancel()


async def _wait_for(
    doors: RemoteDoors,
    run: RunState,
    plan: RemotePlan,
    stopper: Stopper,
    shown: Mapping[tuple[str, int], str],
) -> None:
    wait_s = plan.wait_s
    if wait_s is None:
        wait_s = max(stage.clock.start_ms for stage in run.event.stages) / 1000
    awaited = [
        (name, number, door)
        for name in remote_entrants(run.event)
        for number, door in enumerate(doors.by_name(name), start=1)
    ]
    with stopper.until_stopped():
        with trio.move_on_after(wait_s) as patience:
            for name, number, door in awaited:
                if door.session is None:
                    plan.say(f"waiting for {name}, process {number}{shown.get((name, number), '')}")
            for _, _, door in awaited:
                await door.joined()
        if patience.cancelled_caught:
            for _, _, door in awaited:
                door.give_up(round(wait_s * 1000))
