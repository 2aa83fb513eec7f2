/** What runs in every document, in the page's own world, before the page's own scripts. The order of the imports is that of the listeners. */
import './canvases.js';
import './shadows.js';
import './tracking.js';
import './guard.js';
import './listening.js';
