"""The script that notices what a person does; sent to documents only while somebody records."""

import json

from actuators.browser.playwright.engine.scripts import CHUNKS, SETTINGS, read_chunk

WORLD = "surehand-recording"
BINDING = "surehandTell"


def make_recording_script() -> str:
    """Return what begins to notice in a document: the engine that names elements, and the listeners over it."""
    chunks = ",".join(f"{json.dumps(name)}:{read_chunk(name)}" for name in (*CHUNKS, "recording"))
    return (
        "(()=>{if(globalThis.surehandRecords)return;globalThis.surehandRecords=true;"
        f"const chunks={{{chunks}}},made={{}},settings={json.dumps(SETTINGS)};"
        "const chunk=(name)=>(made[name]||=chunks[name](settings,chunk));"
        "chunk('core').provideChunks(chunk);chunk('recording').beginRecording();})()"
    )
