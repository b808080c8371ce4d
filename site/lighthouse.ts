// `npm run lighthouse` in site/: measures Lighthouse's scores of one page of each kind, as the API
// serves it, for phones and desktops. It fails below 95 in any category. The last line has the
// lowest scores.

import { findChromium } from '../tools/chromium.ts';
import { measureLighthouse } from '../tools/lighthouse.ts';
import { BASE, serveSite } from './serve.ts';

const MIN_SCORE = 95;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** The start page, a guide, a long page, one with tables, an operation, the longest reference page. */
const PAGES = [
  '',
  'guides/first-subscription/',
  'operations/',
  'webhooks/',
  'rest/operations/createcheckoutsession/',
  'graphql/objects-c/',
];

const chromium = findChromium();
if (!chromium) throw new Error('Chromium is missing.');
const { origin, close } = await serveSite();
try {
  const lowest: Record<string, number> = {};
  for (const path of PAGES) {
    const url = origin + BASE + path;
    const visit = { executablePath: chromium, url, cookies: [], categories: CATEGORIES, enough: MIN_SCORE };
    const { mobile, desktop } = await measureLighthouse(visit);
    console.log(BASE + path, JSON.stringify({ mobile, desktop }));
    for (const name of CATEGORIES) {
      lowest[name] = Math.min(lowest[name] ?? mobile[name], mobile[name], desktop[name]);
    }
  }
  console.log(JSON.stringify(lowest));
  if (Object.values(lowest).some((score) => score < MIN_SCORE)) process.exitCode = 1;
} finally {
  close();
}
