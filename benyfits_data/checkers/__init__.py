"""82 rooms of the same plan, one per program; see docs/rooms.md."""
