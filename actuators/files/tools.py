"""What the file family publishes: its toolsets, in the order in which they are listed."""

from actuators.files.moving_tools import FileMovingTools
from actuators.files.opening_tools import FileOpeningTools
from actuators.files.reading_tools import FileReadingTools
from actuators.files.toolset import FileToolset
from actuators.files.writing_tools import FileWritingTools

FILE_TOOLSETS: tuple[type[FileToolset], ...] = (FileReadingTools, FileWritingTools, FileMovingTools, FileOpeningTools)
