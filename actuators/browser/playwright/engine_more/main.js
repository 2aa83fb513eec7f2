/** What is evaluated when something asks for it: descriptions, values, records, controls, forms, openers, gestures. */
import { readCalendar } from './calendars.js';
import { findPart, findWidget, readControl, readGauge, readPart, readSuggestions } from './controls.js';
import { findFillable, findNeighbour, findSubmitter, listFillable } from './filling.js';
import { placeOf, readDrag, readZoom, scrollFrom, watchDrag, zoomPage } from './gestures.js';
import { findIcons } from './icons.js';
import { findLooks, listIcons, listLooks } from './looks.js';
import { markText, readMarked } from './marks.js';
import { findOpener, findWhole, nextOpener, readContent, readRest, readSight, readWay, scrollBackAll, scrollOn } from './opening.js';
import { findRecords } from './records.js';
import { coverSecrets, findSecrets, uncoverSecrets } from './secrets.js';
import { countRow, readCell, readTable } from './tables.js';
import { findValues, listValued } from './values.js';
import { findRevealed, keepRevealed } from './widgets.js';

export { drawnColours } from './colours.js';
export { captionOfCounter, countersIn, ratingNames } from './counters.js';
export { unnamedStages } from './icons.js';
export { toldOf } from './looks.js';
export { comparableRecords, ranked } from './ranking.js';
export { recordAround, withText, wordsOn } from './records.js';
export { inColumn } from './tables.js';
export { findAlike, landmarksIn, namedPopups } from './widgets.js';

/** @type {Record<string, Finder>} */
export const queries = {
  value: findValues, icon: findIcons, look: findLooks, record: findRecords, row: countRow, widget: findWidget, opener: findOpener,
  whole: findWhole, part: findPart, neighbour: findNeighbour, fillable: findFillable, submitter: findSubmitter, secrets: findSecrets,
  revealed: findRevealed,
};

/** @type {Record<string, Probe>} */
export const probes = {
  valued: listValued, looked: listLooks, iconed: listIcons, table: readTable, cell: readCell, keep: keepRevealed, mark: markText,
  fillable: listFillable, marked: readMarked, control: readControl, gauge: readGauge, part: readPart, suggestions: readSuggestions,
  calendar: readCalendar, opener: nextOpener, sight: readSight, rest: readRest, content: readContent, way: readWay, scroll_on: scrollOn,
  scroll_back: scrollBackAll, cover: coverSecrets, uncover: uncoverSecrets, place: placeOf, watchDrag, readDrag, scroll: scrollFrom,
  zoom: zoomPage, zoomed: readZoom,
};
