import { readFileSync } from 'node:fs';

const SOURCE = new URL('../web/dashboard/routes.tsx', import.meta.url);

/** The paths of all pages behind the sign-in: `/plans/$planId`. */
export function dashboardRoutes(): Set<string> {
  const found = readFileSync(SOURCE, 'utf8').matchAll(/\.\.\.inApp, path: '([^']+)'/g);
  return new Set([...found].map(([, path = '']) => path));
}
