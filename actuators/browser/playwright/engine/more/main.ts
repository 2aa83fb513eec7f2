/** What is evaluated when something asks for it: descriptions, values, records, controls, forms, openers, gestures. */
import { readColour } from '../looks/colours.ts';
import { guardEnter } from '../acting/settling.ts';
import { liesOver, noteCalendars, readCalendar } from '../controls/calendars.ts';
import { readClock } from '../controls/clocks.ts';
import { findPart, findWidget, readControl, readGauge } from '../controls/controls.ts';
import { findCellEditor, readCellState } from '../controls/cells.ts';
import { aimDrag, listGrips, readDrag, tellDrag, watchDrag } from './dragging.ts';
import { findFillable, findNeighbour, findSubmitter, listFillable } from '../controls/filling.ts';
import { findNoted, leaveField, markText, noteFocus, readMarked, readNoted } from './focus.ts';
import { placeOf, readUnder, readZoom, scrollFrom, zoomPage } from './gestures.ts';
import { findIcons } from '../looks/icons.ts';
import { readIdle } from './idling.ts';
import { findLooks, listIcons, listLooks } from '../looks/looks.ts';
import { findPinned, keepPinned } from '../choosing/pinning.ts';
import { findOffered, readOffer, scrollOffer } from '../choosing/offers.ts';
import { findOpener, findWhole, nextOpener, readContent, readSight, readWay, scrollBackAll, scrollOn } from './opening.ts';
import { findRecords } from '../values/records.ts';
import { coverSecrets, findSecrets, uncoverSecrets } from './secrets.ts';
import { countRow, readCell, readTable } from '../values/tables.ts';
import { findFileField, readDrop, readFiles, watchDrop } from '../controls/uploads.ts';
import { findValues, listValued } from '../values/values.ts';
import { findRevealed, keepRevealed } from './widgets.ts';

export { drawnColours } from '../looks/colours.ts';
export { findGrouped, joinSections } from '../controls/sections.ts';
export { captionOfCounter, countersIn, ratingNames } from '../controls/counters.ts';
export { unnamedStages } from '../looks/icons.ts';
export { findLooks, toldOf } from '../looks/looks.ts';
export { atSpot } from './grids.ts';
export { comparableRecords, ranked } from '../values/ranking.ts';
export { recordAround, withText, wordsOn } from '../values/records.ts';
export { findHeadedEditor, namesAround, standInsFor } from './standins.ts';
export { inColumn } from '../values/tables.ts';
export { rolesCalled } from './vocabulary.ts';
export { findAlike, landmarksIn, nameable, namedPopups, withPattern } from './widgets.ts';

export const queries: Record<string, Finder> = {
  value: findValues, icon: findIcons, look: findLooks, record: findRecords, row: countRow, widget: findWidget, opener: findOpener,
  whole: findWhole, part: findPart, neighbour: findNeighbour, fillable: findFillable, submitter: findSubmitter, secrets: findSecrets,
  revealed: findRevealed, offered: findOffered, noted: findNoted, file_field: findFileField, cell_editor: findCellEditor, pinned: findPinned,
};

export const probes: Record<string, Probe> = {
  valued: listValued, looked: listLooks, iconed: listIcons, table: readTable, cell: readCell, keep: keepRevealed, mark: markText,
  fillable: listFillable, marked: readMarked, control: readControl, gauge: readGauge,
  calendar: (element) => readCalendar(findWidget(element)[0]), noteCalendars: (element) => noteCalendars(findWidget(element)[0]),
  guardEnter,
  lies_over: (element) => liesOver(findWidget(element)[0]),
  clock: (element) => readClock(findWidget(element)[0]), opener: nextOpener, sight: readSight, content: readContent, way: readWay, scroll_on: scrollOn,
  scroll_back: scrollBackAll, cover: coverSecrets, uncover: uncoverSecrets, place: placeOf, scroll: scrollFrom,
  colour: readColour, idle: readIdle, zoom: zoomPage, zoomed: readZoom, under: readUnder, offer: readOffer, scroll_offer: scrollOffer, note_focus: noteFocus,
  noted: readNoted,
  cellState: readCellState, pin: keepPinned, leave: leaveField, files: readFiles, watchDrop, readDrop, watchDrag, readDrag, aimDrag, tellDrag, grips: listGrips,
};
