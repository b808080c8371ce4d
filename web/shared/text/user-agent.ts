import { settings as text } from './settings.ts';

/** The first match counts: Edge also names Chrome, and Chrome also names Safari. */
const BROWSERS = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['CriOS/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;

const SYSTEMS = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const;

/** Describes a user agent: `Firefox on Windows`. An unknown one is cut to 40 characters. */
export function describeUserAgent(userAgent: string | null): string {
  if (!userAgent) return text.unknownBrowser;
  const find = (names: typeof BROWSERS | typeof SYSTEMS) =>
    names.find(([mark]) => userAgent.includes(mark))?.[1];
  const browser = find(BROWSERS);
  const system = find(SYSTEMS);
  if (browser && system) return text.on(browser, system);
  return browser ?? userAgent.slice(0, 40);
}
