"""What the file family publishes: its toolsets, in the order in which they are listed."""

from actuators.files.api.moving_tools import FileMovingTools
from actuators.files.api.opening_tools import FileOpeningTools
from actuators.files.api.reading_tools import FileReadingTools
from actuators.files.api.toolset import FileToolset
from actuators.files.api.writing_tools import FileWritingTools

FILE_TOOLSETS: tuple[type[FileToolset], ...] = (FileReadingTools, FileWritingTools, FileMovingTools, FileOpeningTools)
