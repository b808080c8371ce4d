import type { BrowserContext, Page } from 'playwright-core';
import type { Hands } from './dashboard-hands.ts';

const WAIT_MS = 30_000;
const WALLET = 'dues local wallet';
const PRICE = '12.50';

/** What the pages reported as errors, violations of their policy among them. */
export interface Told {
  readonly errors: readonly string[];
}

/**
 * The story of a new merchant with nothing but a browser: sign in, make an API key, publish a
 * plan, pay a checkout of the plan as a customer, move the time by a month, and see the payment
 * arrive and the charts move.
 *
 * @param name a name that no plan has
 */
export async function playStory(
  context: BrowserContext,
  hands: Hands,
  { url, name }: { readonly url: string; readonly name: string },
): Promise<Told> {
  const errors: string[] = [];
  const listen = (page: Page) => {
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  };
  context.on('page', listen);
  const page = await context.newPage();
  await page.goto(url);
  await signIn(page, hands);
  await makeKey(page, hands);
  await publishPlan(page, hands, name);
  await pay(page, hands);
  await watchPayment(page, hands);
  return { errors };
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

async function signIn(page: Page, hands: Hands): Promise<void> {
  await hands.press(button(page, WALLET));
  await hands.press(button(page, /^Demo merchant /));
  await heading(page, 'Overview').waitFor();
}

async function makeKey(page: Page, hands: Hands): Promise<void> {
  await hands.press(link(page, 'API keys'));
  await hands.press(button(page, 'Create key').first());
  const dialog = page.getByRole('dialog');
  await hands.write(dialog.getByLabel('Name', { exact: true }), 'Shop backend');
  await hands.press(dialog.getByRole('button', { name: 'Create key' }));
  await hands.press(dialog.getByRole('button', { name: 'Copy', exact: true }).first());
  await hands.press(dialog.getByRole('button', { name: 'I have stored it' }));
}

async function publishPlan(page: Page, hands: Hands, name: string): Promise<void> {
  await hands.press(link(page, 'Plans'));
  await hands.press(link(page, 'Create plan'));
  await hands.write(page.getByLabel('Name', { exact: true }), name);
  await hands.write(page.getByLabel('Price', { exact: true }), PRICE);
  await hands.press(button(page, 'Continue to sign'));
  await hands.press(button(page, `Sign with ${WALLET}`));
  await hands.press(button(page, 'Approve'));
  await page.getByText(`${name} is active.`).waitFor();
}

/** In the tab that the dashboard opens, with an account that the wallet makes. */
async function pay(page: Page, hands: Hands): Promise<void> {
  await hands.press(button(page, 'Test checkout'));
  const opened = page.context().waitForEvent('page');
  await hands.press(button(page, 'Open checkout'));
  const checkout = await opened;
  await hands.press(button(checkout, WALLET));
  await hands.press(button(checkout, 'New account with test money'));
  await hands.press(button(checkout, 'Approve subscription'));
  await hands.press(button(checkout, 'Approve'));
  await heading(checkout, 'You are subscribed').waitFor();
  await checkout.close();
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last());
}

async function watchPayment(page: Page, hands: Hands): Promise<void> {
  await hands.press(link(page, 'Overview'));
  await heading(page, 'Overview').waitFor();
  const collected = page.getByText('Payment collected', { exact: true });
  const chart = page.getByRole('figure', { name: 'Collected' });
  await chart.waitFor();
  const [before, drawn] = [await collected.count(), await chart.innerHTML()];
  await hands.press(button(page, 'Advance time'));
  await hands.press(button(page, '30 days'));
  await collected.nth(before).waitFor();
  const deadline = performance.now() + WAIT_MS;
  while ((await chart.innerHTML()) === drawn) {
    if (performance.now() > deadline) throw new Error('The chart did not move');
    await page.waitForTimeout(50);
  }
}
