/** What the script in a page's own world tells the engine of what goes on there: the numbers, in their order, before the words. */
export const FIGURES = ['pending', 'age_ms', 'requests', 'open_requests', 'late_ms', 'lines', 'repeated', 'following_ms', 'fetched_ms', 'is_building', 'lasting',
  'older_ms', 'older_late_ms'];
