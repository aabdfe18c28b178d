"""What holds for all tests."""

import os
import signal

# A shell starts what it puts in its background with Ctrl-C ignored, and what the tests start
# would inherit that: those that are to end by it would not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What the tests build is nothing to keep, and what this user keeps is nothing to test with. A test
# of the store names a folder of its own; so the variable stands before any test, and in what they
# start too.
os.environ["ARENA_CACHE"] = "off"
