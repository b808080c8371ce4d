import type { Page } from 'playwright-core';

/**
 * Collects the problems of a page: violations of its content security policy, errors of scripts, and
 * requests to other sites than those that begin with an origin.
 */
export function watchPage(page: Page, origins: readonly string[]): string[] {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!['data:', ...origins].some((origin) => url.startsWith(origin))) problems.push(url);
  });
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) problems.push(message.text());
  });
  return problems;
}
