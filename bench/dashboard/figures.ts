import type { Figures } from '../lib/figures.ts';

/** The parts after the story, which creates the rows that they read. */
export const PARTS = ['live', 'lighthouse', 'lists'] as const;

export const DASHBOARD_FIGURES = {
  story_s: { what: 'from `npm start` until the chart has changed, by mouse', target: '<= 90' },
  story_keyboard_s: { what: 'the same by keyboard', target: '<= 90' },
  clicks: { what: 'clicks by mouse; typing into a field is not counted', target: '<= 25' },
  csp: { what: 'violations of the content security policy in the story', target: '<= 0' },
  errors: { what: 'errors of the pages in the story', target: '<= 0' },
  first_route_kb: {
    what: 'size of what the overview needs to start, after gzip; no fonts',
    target: '<= 150',
  },
  live_p99_ms: { what: '99th percentile of the delays', target: '<= 300' },
  update_ms: { what: "work of the page's main thread per event", target: '<= 10' },
  feed_gaps: { what: 'events never received', target: '<= 0' },
  feed_doubles: { what: 'events received twice', target: '<= 0' },
  charts_differ: { what: '1 if the page differs from a fresh load', target: '<= 0' },
  limit_used: { what: 'requests of five tabs that count against the API limit', target: '<= 0' },
  lighthouse_mobile: { what: 'the performance score for phones', target: '>= 90' },
  lighthouse_desktop: { what: 'the performance score for desktops', target: '>= 95' },
  lighthouse_others: {
    what: 'the lower of the scores for accessibility and best practices',
    target: '>= 100',
  },
  page_growth: {
    what: 'time of the lists with 100,000 subscriptions',
    target: '<= 1.3',
    comparedWith: 'the same with 1,000',
  },
  page_ms: { what: 'the next page of 10,000 subscriptions', target: '<= 250' },
  search_ms: { what: 'the slower search of 10,000 subscriptions', target: '<= 250' },
} as const satisfies Figures;
