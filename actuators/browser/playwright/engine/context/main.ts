/** What runs in every document, in the page's own world, before the page's own scripts. The order of the imports is that of the listeners. */
import './canvases.ts';
import './shadows.ts';
import './tracking.ts';
import './answering.ts';
import './guard.ts';
import './listening.ts';
