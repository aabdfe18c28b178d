"""What holds for all tests."""

import signal

# A shell starts what it puts in its background with Ctrl-C ignored, and what the tests start
# would inherit that: those that are to end by it would not.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
