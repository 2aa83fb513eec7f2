"""What tells that a file would run if it were opened: its ending, its mode, how it begins. For whoever hands files over."""

import os
from pathlib import PurePath

_ENDINGS = """
    apk appimage application app appref-ms bash bat bin chm class cmd com command cpl crt csh deb desktop diagcab dll dmg
    elf exe fish gadget hta inf ins iso jar jnlp js jse kext ksh lnk lua mht mof msc msh msh1 msh2 msi msix msp mst napx
    out pif pkg pl prefpane prg ps1 ps1xml ps2 psc1 psd1 psm1 py pyc pyw pyz rb reg rgs rpm run scf scpt scptd scr sct
    service settingcontent-ms sh so sys tcl terminal tool url vb vbe vbs webloc website workflow ws wsc wsf wsh xll zsh
"""
_PROGRAMS = frozenset(_ENDINGS.split())
_STARTS = (
    *(b"#!", b"\x7fELF", b"MZ", b"\xca\xfe\xba\xbe", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xfe\xed\xfa"),
    *(b"[Desktop Entry]", b"L\0\0\0"),
)
_MARKS = 0o111

STARTS_WITHIN = 64
"""Bytes of a file that are looked at."""


def find_ending_sign(name: str) -> str:
    """Return why a file counts as a program by its name; empty if it doesn't."""
    ending = PurePath(name).suffix[1:].lower()
    return f'files that end with ".{ending}" run or install something' if ending in _PROGRAMS else ""


def find_mode_sign(mode: int) -> str:
    """Return why a file counts as a program by its mode; empty if it doesn't. Windows has no such marks."""
    return "it is marked as a program" if os.name == "posix" and mode & _MARKS else ""


def find_content_sign(start: bytes) -> str:
    """Return why a file counts as a program by its first bytes; empty if it doesn't."""
    plain = start[:STARTS_WITHIN].lstrip(b"\xef\xbb\xbf \t\r\n")
    return "its content is a program, a script or a starter" if plain.startswith(_STARTS) else ""
