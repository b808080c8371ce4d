/** Webhooks and events in the dashboard. */
import { execFile, execFileSync } from 'node:child_process';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Deliverer } from '../../src/domain/messages/webhook/delivery/deliverer.ts';
import { triggerEvent } from '../../src/domain/messages/webhook/trigger-event.ts';
import { findChromium } from '../../tools/chromium.ts';
import { type Receiver, startReceiver, status } from '../../tools/world/webhook-receiver.ts';
import { verifySamples } from '../../web/dashboard/pages/webhook/verify-samples.ts';
import {
  type DashboardWorld,
  saveAndOpenView,
  startDashboardWorld,
  takeScreenshots,
} from './dashboard-world.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the pages of webhooks are not tested');

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

describe.skipIf(!chromium)('webhooks in the dashboard', () => {
  let world: DashboardWorld;
  let merchant: Awaited<ReturnType<DashboardWorld['newMerchant']>>;
  let receiver: Receiver;
  let deliverer: Deliverer;
  let endpointId: string;
  let secret: string;

  const path = () => new URL(receiver.url).pathname;
  const findLatestDelivery = () => world.db.delivery.findFirstOrThrow({ orderBy: { id: 'desc' } });

  /** Delivers due webhooks, as the worker does. */
  async function deliver(): Promise<void> {
    await world.relay();
    await deliverer.deliver(endpointId);
  }

  beforeAll(async () => {
    world = await startDashboardWorld(chromium ?? '');
    receiver = await startReceiver();
    Object.assign(world.ctx.config, { webhookHostsAllowed: ['127.0.0.1'] });
    deliverer = new Deliverer(world.ctx, { lingerMs: 0 });
    merchant = await world.newMerchant();
  });
  afterAll(async () => {
    await deliverer?.close();
    await receiver?.close();
    await world?.close();
  });

  it('adds an endpoint, and shows its secret once', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf('/webhooks'));
    await page.getByText('No endpoints yet').waitFor();
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText(/^This must/).waitFor();
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByLabel('Only these').check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    await dialog.getByText('Choose at least one event type').waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots({ page }, 'add-endpoint');
    await dialog.getByLabel('subscription.created').check();
    await dialog.getByLabel('subscription.payment_failed').check();
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    secret = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('You have not copied it').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { name: receiver.url, level: 1 }).waitFor();
    await page.getByText('No failures', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const row = await world.db.webhookEndpoint.findFirstOrThrow();
    endpointId = row.id;
    expect(row.eventTypes).toEqual(['subscription.created', 'subscription.payment_failed']);
    expect(pageProblems).toEqual([]);
  });

  it('sends a test, and shows its payload and response live', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf(`/webhooks/${endpointId}`));
    await page.getByRole('button', { name: 'Send test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await page.getByRole('heading', { name: 'Webhook test', level: 1 }).waitFor();
    await page.getByText('Pending', { exact: true }).waitFor();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('0 delivered, 0 failed, 1 pending').waitFor();
    await page.goBack();
    await deliver();
    await page.getByText('Your server confirmed it.').waitFor();
    await page.getByText('"received": true').waitFor();
    await page.getByText('"event": "endpoint.test"').waitFor();
    await page.getByRole('link', { name: receiver.url }).click();
    await page.getByText('1 delivered, 0 failed, 0 pending').waitFor();
    expect(pageProblems).toEqual([]);
  });

  it.skipIf(!hasPython())('verifies a webhook with the Python of the page', async () => {
    const { headers, body } = receiver.received.at(-1) ?? {};
    const python = async (text: string) => {
      const source = verifySamples.find(({ name }) => name === 'Python')?.code;
      const header = String(headers?.['x-webhook-signature']);
      const call = [
        `time.time = lambda: ${/t=(\d+)/.exec(header)?.[1]}`,
        `print(is_from_dues(${JSON.stringify(text)}.encode(), ${JSON.stringify(header)}))`,
      ].join('\n');
      const env = { ...process.env, DUES_WEBHOOK_SECRET: secret };
      return (await promisify(execFile)('python3', ['-c', `${source}\n${call}`], { env })).stdout.trim();
    };
    expect([await python(body ?? ''), await python(`${body} `)]).toEqual(['True', 'False']);
  });

  it('shows why a delivery failed, attempt by attempt, and sends it again', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page } = member;
    receiver.answer = status(503);
    await page.goto(world.urlOf('/events'));
    await page.getByRole('button', { name: 'Trigger an event' }).click();
    await page.getByRole('dialog').getByLabel('Type').selectOption('subscription.payment_failed');
    await page.getByRole('dialog').getByRole('button', { name: 'Trigger' }).click();
    await page.getByRole('heading', { name: 'Payment failed', level: 1 }).waitFor();
    await deliver();
    await page
      .getByRole('row', { name: new RegExp(path()) })
      .getByRole('link')
      .click();
    await page.getByRole('button', { name: /Attempt 1.*Status 503/ }).waitFor();
    await page.getByText('Next attempt:').waitFor();
    receiver.answer = (response) => response.end('{"ok":1}');
    await page.getByRole('button', { name: 'Resend' }).click();
    await page.getByText('Webhook resent.').waitFor();
    await deliver();
    await page.getByText('"ok": 1').waitFor();
    await page.getByRole('button', { name: /Attempt 1.*Status 503/ }).click();
    await page.getByText('Your server’s response to attempt 1').waitFor();
    await page.getByText('As sent in attempt 1.').waitFor();
    const { headers, body } = receiver.received.at(-2) ?? {};
    await page.getByText(String(headers?.['x-webhook-signature'])).waitFor();
    await page.getByText(/^Status 503$/).waitFor();
    await page.getByText(/^\d\.\d{2,3} s$/).waitFor();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy as curl' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Copied', { exact: true }).waitFor({ state: 'attached' });
    const curl = await page.evaluate(() => navigator.clipboard.readText());
    expect(curl).not.toContain(secret);
    const before = receiver.received.length;
    await promisify(execFile)('sh', ['-c', curl]);
    // The server receives the same bytes, and their signature is right.
    expect(receiver.received.length).toBe(before + 1);
    const repeated = receiver.received.at(-1);
    expect(repeated?.body).toBe(body);
    new Webhook(secret).verify(body ?? '', repeated?.headers as Record<string, string>);
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots({ page }, 'delivery-request');
  });

  it('filters deliveries by a whole code, and explains half a code after Enter', async () => {
    const { page } = await world.signIn(merchant.wallet);
    const codes: unknown[] = [];
    page.on('request', (request) => {
      if (request.postData()?.includes('query DeliveryRows') !== true) return;
      codes.push(request.postDataJSON().variables.filter.statusCode);
    });
    await page.goto(world.urlOf('/webhooks'));
    const code = page.getByLabel('Response status', { exact: true });
    await code.pressSequentially('599');
    await page.getByText('Nothing matches these filters').waitFor();
    expect([...new Set(codes)]).toEqual([null, 599]);
    await code.fill('59');
    await page.keyboard.press('Enter');
    await page.getByText('statusCode must be a whole number from 100 to 599.').waitFor();
  });

  it('lists events live, pauses, and filters by type', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/events'));
    await page.getByRole('row', { name: /Payment failed/ }).waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await trigger('subscription.created');
    await page.getByRole('button', { name: 'Resume: 1 new' }).waitFor();
    expect(await page.getByRole('row', { name: /New subscription/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resume: 1 new' }).click();
    await page.getByRole('row', { name: /New subscription/ }).waitFor();
    await page.getByLabel('Type').selectOption({ label: 'Payment failed' });
    await page.getByRole('row', { name: /New subscription/ }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?type=subscription.payment_failed');
  });

  it('pauses and enables an endpoint, counts the events of a replay, and replays them', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await deliver();
    await page.goto(world.urlOf(`/webhooks/${endpointId}`));
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByText('You paused it.').waitFor();
    expect(await page.getByRole('button', { name: 'Replay' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('No failures', { exact: true }).waitFor();
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Replay' }).click();
    await page.getByRole('button', { name: 'Count events' }).click();
    await page.getByText('No event matches.').waitFor();
    await page.getByLabel('Already delivered').check();
    await page.getByRole('button', { name: 'Count events' }).click();
    await page.getByRole('heading', { name: 'Replay 2 events?' }).waitFor();
    expect(await world.db.delivery.count({ where: { replayed: true } })).toBe(0);
    await page.getByRole('button', { name: 'Replay 2 events' }).click();
    await page.getByText('2 events are sent again.').waitFor();
    await deliver();
    expect(receiver.received.length).toBe(before + 2);
    await page.getByRole('row', { name: /New subscription Replay/ }).waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('FAILED');
    await page.getByText('Nothing matches these filters').waitFor();
    await saveAndOpenView(page, 'Failed');
    await page.getByText('Nothing matches these filters').waitFor();
    // A view that was saved on the page of one endpoint also opens on the page of all deliveries.
    await page.goto(world.urlOf('/webhooks'));
    await page.getByRole('button', { name: 'Views 1' }).click();
    await page.getByRole('button', { name: 'Failed', exact: true }).click();
    await page.waitForURL(world.urlOf('/webhooks?status=FAILED'));
  });

  it('rotates the secret, and deletes an endpoint after a confirmation', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page } = member;
    await page.goto(world.urlOf('/webhooks'));
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    await page.getByRole('dialog').getByLabel('URL').fill(`${receiver.url}/second`);
    await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
    const first = await page.getByLabel('Signing secret', { exact: true }).inputValue();
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    await page.getByText('Copy the new signing secret', { exact: true }).waitFor();
    expect(await page.getByLabel('Signing secret', { exact: true }).inputValue()).not.toBe(first);
    await page.getByRole('dialog').getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Two signing secrets are valid').waitFor();
    await page.getByText(/The old one is valid until .+ \((in 2\d hours|tomorrow)\)/).waitFor();
    await page.waitForLoadState('networkidle');
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots({ page }, 'webhook-overlap');
    // By keyboard alone.
    await page.getByRole('button', { name: 'End it now' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('End the old secret now?').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'End old secret' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The old secret is no longer valid.').waitFor();
    await page.getByText('Two signing secrets are valid').waitFor({ state: 'detached' });
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // The button is gone, so the content of the page has the focus.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN');
    const { id } = await world.db.webhookEndpoint.findFirstOrThrow({
      where: { url: `${receiver.url}/second` },
    });
    expect(await world.db.webhookEndpoint.findUniqueOrThrow({ where: { id } })).toMatchObject({
      encryptedPreviousSecret: null,
      previousSecretUntil: null,
    });
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Endpoint deleted.').waitFor();
    await page.getByRole('row', { name: /second/ }).waitFor({ state: 'detached' });
  });

  it.each([
    ['webhooks', () => '/webhooks', 'Deliveries'],
    ['webhook', () => `/webhooks/${endpointId}`, 'Verify the signature'],
    ['delivery', async () => `/deliveries/${await findFailedDelivery()}`, 'Response'],
    ['events', () => '/events', 'subscription.created'],
    ['event', async () => `/events/${(await findLatestDelivery()).eventId}`, 'Deliveries'],
  ])('axe finds nothing on %s, light on desktops and dark on phones', async (name, pathOf, text) => {
    const member = await world.signIn(merchant.wallet);
    expect(await world.faultsOf(member, await pathOf(), text, name)).toEqual([]);
  });

  async function trigger(type: string): Promise<void> {
    await triggerEvent(world.ctx, merchant.scope, { type });
    await world.relay();
  }

  async function findFailedDelivery(): Promise<string> {
    const { deliveryId } = await world.db.deliveryAttempt.findFirstOrThrow({ where: { statusCode: 503 } });
    return deliveryId;
  }
});

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version']);
    return true;
  } catch {
    return false;
  }
}
