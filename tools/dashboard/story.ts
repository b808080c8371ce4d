import type { BrowserContext, Page } from 'playwright-core';
import type { UserInput } from './user-input.ts';

const WAIT_MS = 30_000;
const WALLET = 'dues local wallet';
const PRICE = '12.50';

export interface StoryResult {
  /** The errors that the pages reported, including violations of their content security policy. */
  readonly errors: readonly string[];
}

/**
 * Does what a new merchant does, only in a browser: signs in, creates an API key, publishes a plan,
 * pays a checkout of the plan as a customer, advances the time by 30 days, and waits until the page
 * shows the next payment and a changed chart.
 *
 * @param name the name of the new plan; no other plan may have it
 */
export async function playStory(
  context: BrowserContext,
  input: UserInput,
  { url, name }: { readonly url: string; readonly name: string },
): Promise<StoryResult> {
  const errors: string[] = [];
  const watchErrors = (page: Page) => {
    page.setDefaultTimeout(WAIT_MS);
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('console', (message) => void (message.type() === 'error' && errors.push(message.text())));
  };
  context.on('page', watchErrors);
  const page = await context.newPage();
  await page.goto(url);
  await signIn(page, input);
  await createKey(page, input);
  await publishPlan(page, input, name);
  await pay(page, input);
  await watchPayment(page, input);
  return { errors };
}

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).first();
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });

async function signIn(page: Page, input: UserInput): Promise<void> {
  await input.press(button(page, WALLET));
  await input.press(button(page, /^Demo merchant /));
  await heading(page, 'Overview').waitFor();
}

async function createKey(page: Page, input: UserInput): Promise<void> {
  await input.press(link(page, 'API keys'));
  await input.press(button(page, 'Create key').first());
  const dialog = page.getByRole('dialog');
  await input.write(dialog.getByLabel('Name', { exact: true }), 'Shop backend');
  await input.press(dialog.getByRole('button', { name: 'Create key' }));
  await input.press(dialog.getByRole('button', { name: 'Copy', exact: true }).first());
  await input.press(dialog.getByRole('button', { name: 'I have stored it' }));
}

async function publishPlan(page: Page, input: UserInput, name: string): Promise<void> {
  await input.press(link(page, 'Plans'));
  await input.press(link(page, 'Create plan'));
  await input.write(page.getByLabel('Name', { exact: true }), name);
  await input.write(page.getByLabel('Price', { exact: true }), PRICE);
  await input.press(button(page, 'Continue to sign'));
  await input.press(button(page, `Sign with ${WALLET}`));
  await input.press(button(page, 'Approve'));
  await page.getByText(`${name} is active.`).waitFor();
}

/** Pays in the tab that the dashboard opens, with an account that the wallet creates. */
async function pay(page: Page, input: UserInput): Promise<void> {
  await input.press(button(page, 'Test checkout'));
  const opened = page.context().waitForEvent('page');
  await input.press(button(page, 'Open checkout'));
  const checkout = await opened;
  await input.press(button(checkout, WALLET));
  await input.press(button(checkout, 'New account with test money'));
  await input.press(button(checkout, 'Approve subscription'));
  await input.press(button(checkout, 'Approve'));
  await heading(checkout, 'You are subscribed').waitFor();
  await checkout.close();
  await input.press(page.getByRole('dialog').getByRole('button', { name: 'Close' }).last());
}

async function watchPayment(page: Page, input: UserInput): Promise<void> {
  await input.press(link(page, 'Overview'));
  await heading(page, 'Overview').waitFor();
  const collected = page.getByText('Collected · ');
  const chart = page.getByRole('figure', { name: 'Collected' });
  await chart.waitFor();
  const [before, drawn] = [await collected.count(), await chart.innerHTML()];
  await input.press(button(page, 'Advance time'));
  await input.press(button(page, '1 month'));
  await collected.nth(before).waitFor();
  const deadline = performance.now() + WAIT_MS;
  while ((await chart.innerHTML()) === drawn) {
    if (performance.now() > deadline) throw new Error('The chart did not change');
    await page.waitForTimeout(50);
  }
}
