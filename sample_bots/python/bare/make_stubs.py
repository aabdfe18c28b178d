"""Make the gRPC stubs in build/ from the arena's proto files: the build step of this bot.

The files are taken from ARENA_PROTO, which the arena sets while it builds; without it from
the source tree that this folder lies in.
"""

import os
import sys
from pathlib import Path

try:
    from grpc_tools import protoc
except ImportError:
    sys.exit("grpcio-tools is not installed; it makes the stubs: pip install grpcio-tools")

HERE = Path(__file__).resolve().parent
STUBS = HERE / "build"


def main() -> None:
    """Make the stubs, or say what is missing."""
    proto = Path(os.environ.get("ARENA_PROTO") or HERE.parents[2] / "proto")
    files = sorted(map(str, proto.glob("arena/v1/*.proto")))
    if not files:
        sys.exit(f"{proto} holds no arena/v1/*.proto; set ARENA_PROTO to the proto folder")
    # Without these empty files Python would find the stubs only where no package of the same
    # name is installed: where the arena is, it would silently import the arena's own.
    for package in (STUBS / "arena", STUBS / "arena" / "v1"):
        package.mkdir(parents=True, exist_ok=True)
        (package / "__init__.py").touch()
    well_known = Path(protoc.__file__).with_name("_proto")
    paths = [f"-I{proto}", f"-I{well_known}", f"--python_out={STUBS}", f"--grpc_python_out={STUBS}"]
    sys.exit(protoc.main(["protoc", *paths, *files]))


if __name__ == "__main__":
    main()
