"""A process that remembers things, one write each: ``memory_child.py FOLDER NAME COUNT``."""

import asyncio
import sys
from pathlib import Path

from agent.store.context_file import ContextFile
from core.memory.facts import ContextMemory, Note, Preference, roll, store_preference


async def main(folder: str, name: str, count: str) -> None:
    file = ContextFile(Path(folder), wait_s=60)
    for number in range(int(count)):

        def add(memory: ContextMemory, key: str = f"{name}{number}") -> ContextMemory:
            note = Note(kind="page", value=key)
            stored = store_preference(memory, Preference(key=key, value="x" * 500))
            return ContextMemory(opened=roll(stored.opened, (note,)), preferences=stored.preferences)

        await file.change(add)
        sys.stdout.write(f"{number}\n")
        sys.stdout.flush()
    await file.close()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
