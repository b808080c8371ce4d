import { readFileSync } from 'node:fs';

const SOURCE = new URL('../../web/dashboard/routes.tsx', import.meta.url);

/** The paths of all pages that require a sign-in, such as `/plans/$planId`. */
export function dashboardRoutes(): Set<string> {
  const matches = readFileSync(SOURCE, 'utf8').matchAll(/\.\.\.inApp, path: '([^']+)'/g);
  return new Set([...matches].map(([, path = '']) => path));
}
