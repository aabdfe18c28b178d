"""What a seat is sent does not depend on what it may not know, down to the bytes."""
