/** What is evaluated when something asks for it: descriptions, values, records, controls, forms, openers, gestures. */
import { readColour } from '../looks/colours.js';
import { guardEnter } from '../acting/settling.js';
import { liesOver, noteCalendars, readCalendar } from '../controls/calendars.js';
import { readClock } from '../controls/clocks.js';
import { findPart, findWidget, readControl, readGauge, readPart, readSuggestions } from '../controls/controls.js';
import { findCellEditor, readCellState } from '../controls/cells.js';
import { aimDrag, listGrips, readDrag, tellDrag, watchDrag } from './dragging.js';
import { findFillable, findNeighbour, findSubmitter, listFillable } from '../controls/filling.js';
import { findNoted, leaveField, noteFocus, readNoted } from './focus.js';
import { placeOf, readUnder, readZoom, scrollFrom, zoomPage } from './gestures.js';
import { findIcons } from '../looks/icons.js';
import { readIdle } from './idling.js';
import { findLooks, listIcons, listLooks } from '../looks/looks.js';
import { markText, readMarked } from './marks.js';
import { findPinned, keepPinned } from '../choosing/pinning.js';
import { findOffered, readOffer, scrollOffer } from '../choosing/offers.js';
import { findOpener, findWhole, nextOpener, readContent, readRest, readSight, readWay, scrollBackAll, scrollOn } from './opening.js';
import { findRecords } from '../values/records.js';
import { coverSecrets, findSecrets, uncoverSecrets } from './secrets.js';
import { countRow, readCell, readTable } from '../values/tables.js';
import { findFileField, readDrop, readFiles, watchDrop } from '../controls/uploads.js';
import { findValues, listValued } from '../values/values.js';
import { findRevealed, keepRevealed } from './widgets.js';

export { drawnColours } from '../looks/colours.js';
export { findGrouped, joinSections } from '../controls/sections.js';
export { captionOfCounter, countersIn, ratingNames } from '../controls/counters.js';
export { unnamedStages } from '../looks/icons.js';
export { toldOf } from '../looks/looks.js';
export { atSpot } from './grids.js';
export { findLooks } from '../looks/looks.js';
export { nameable, withPattern } from './patterns.js';
export { comparableRecords, ranked } from '../values/ranking.js';
export { recordAround, withText, wordsOn } from '../values/records.js';
export { findHeadedEditor, namesAround, standInsFor } from './standins.js';
export { inColumn } from '../values/tables.js';
export { rolesCalled } from './vocabulary.js';
export { findAlike, landmarksIn, namedPopups } from './widgets.js';

/** @type {Record<string, Finder>} */
export const queries = {
  value: findValues, icon: findIcons, look: findLooks, record: findRecords, row: countRow, widget: findWidget, opener: findOpener,
  whole: findWhole, part: findPart, neighbour: findNeighbour, fillable: findFillable, submitter: findSubmitter, secrets: findSecrets,
  revealed: findRevealed, offered: findOffered, noted: findNoted, file_field: findFileField, cell_editor: findCellEditor, pinned: findPinned,
};

/** @type {Record<string, Probe>} */
export const probes = {
  valued: listValued, looked: listLooks, iconed: listIcons, table: readTable, cell: readCell, keep: keepRevealed, mark: markText,
  fillable: listFillable, marked: readMarked, control: readControl, gauge: readGauge, part: readPart, suggestions: readSuggestions,
  calendar: (element) => readCalendar(findWidget(element)[0]), noteCalendars: (element) => noteCalendars(findWidget(element)[0]),
  guardEnter,
  lies_over: (element) => liesOver(findWidget(element)[0]),
  clock: (element) => readClock(findWidget(element)[0]), opener: nextOpener, sight: readSight, rest: readRest, content: readContent, way: readWay, scroll_on: scrollOn,
  scroll_back: scrollBackAll, cover: coverSecrets, uncover: uncoverSecrets, place: placeOf, scroll: scrollFrom,
  colour: readColour, idle: readIdle, zoom: zoomPage, zoomed: readZoom, under: readUnder, offer: readOffer, scroll_offer: scrollOffer, note_focus: noteFocus,
  noted: readNoted,
  cellState: readCellState, pin: keepPinned, leave: leaveField, files: readFiles, watchDrop, readDrop, watchDrag, readDrag, aimDrag, tellDrag, grips: listGrips,
};
