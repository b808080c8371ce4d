/** `npm start`, used only through a browser. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findChromium, startChromium } from '../../tools/chromium.ts';
import { type StartedDues, startDues } from '../../tools/world/start-dues.ts';
import { askGraphql } from '../support/ask-graphql.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: npm start in a browser is not tested');

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** The folder for screenshots; undefined for none. */
const SHOTS = process.env.DASHBOARD_SCREENSHOTS;

describe.skipIf(!chromium)('npm start in a browser', () => {
  let started: StartedDues;
  let browser: Browser;
  let graphqlUrl: string;
  let key: string;
  beforeAll(async () => {
    started = await startDues();
    [, graphqlUrl = ''] = await started.dues.printed(/GraphQL\s+(\S+)/);
    [, key = ''] = await started.dues.printed(/Test key\s+(\S+)/);
    browser = await startChromium(chromium ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await started?.end();
  });

  const ask = <T>(query: string) => askGraphql<T>(graphqlUrl, key, query);

  /** Opens a page in a separate browser context, and collects its errors. */
  async function openPage(url: string) {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(20_000);
    const errors: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
    await page.goto(url);
    return { page, errors, click: (name: string | RegExp) => page.getByRole('button', { name }).click() };
  }

  it('a customer pays with the local wallet, and the merchant moves the time', async () => {
    const [, dashboard = ''] = await started.dues.printed(/Open (\S+) in a browser/);
    const merchant = await openPage(dashboard);
    await merchant.click('dues local wallet');
    await merchant.click(/^Demo merchant /);
    await merchant.page.getByText('No events yet').waitFor();

    const { createCheckoutSession } = await ask<{ createCheckoutSession: { url: string } }>(
      'mutation { createCheckoutSession(input: { planId: "pro-monthly", customerEmail: "a@example.com" }) { url } }',
    );
    const customer = await openPage(createCheckoutSession.url);
    await customer.click('dues local wallet');
    await customer.click('New account with test money');
    await customer.click('Approve subscription');
    await customer.click(/^Approve$/);
    await customer.page.getByRole('heading', { name: 'You are subscribed' }).waitFor();

    const collected = merchant.page.getByText('9.99 USDC from a@example.com', { exact: true });
    await collected.first().waitFor();
    await merchant.click('Advance time');
    await merchant.click('1 month');
    await merchant.page.getByText('The time is now').waitFor();
    await collected.nth(1).waitFor();
    expect(await ask('{ payments { edges { node { number status } } } }')).toEqual({
      payments: {
        edges: [{ node: { number: 2, status: 'SUCCEEDED' } }, { node: { number: 1, status: 'SUCCEEDED' } }],
      },
    });
    expect([...merchant.errors, ...customer.errors]).toEqual([]);
    if (SHOTS) await merchant.page.screenshot({ path: join(SHOTS, 'start.png') });
  });
});
