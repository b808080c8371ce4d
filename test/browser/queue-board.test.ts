import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { enqueuePayments } from '../../src/domain/billing/schedule/enqueue-payments.ts';
import { type Operations, startOperations } from '../../src/operations/start-operations.ts';
import { findChromium, startChromium } from '../../tools/chromium.ts';
import { type TestContext, testContext } from '../jobs/context.ts';
import { type OpenStore, storesHere } from '../jobs/stores.ts';

const LOGIN = { username: 'operator', password: 'a long enough password' };
const MINUTES = 5;

const binary = findChromium();
if (!binary) console.warn('SKIPPED: the queue board in a browser: no chromium on this machine');

describe.runIf(binary).each(storesHere('the queue board in a browser'))(
  'the queue board on $name, in a browser',
  ({ open }) => {
    let store: OpenStore;
    let ctx: TestContext;
    let operations: Operations | undefined;

    beforeAll(async () => {
      store = await open();
      const { username: user, password } = LOGIN;
      const queueBoard = { user, password, allowsActions: false };
      ctx = testContext({ ...store, operations: { host: '127.0.0.1', port: 0, queueBoard } });
      operations = await startOperations(ctx, ['worker']);
    });
    afterAll(async () => {
      await operations?.close();
      await ctx.close();
      await store.close();
    });

    it('shows a delayed retry to a reader with the login', {
      timeout: 120_000,
    }, async () => {
      const at = new Date(ctx.clock.now().getTime() + MINUTES * 60_000);
      await enqueuePayments(ctx, [{ environment: 'LIVE', at, isRetry: true }]);
      await using closing = new AsyncDisposableStack();
      const browser = await startChromium(binary ?? '');
      closing.defer(() => browser.close());
      const context = await browser.newContext({ httpCredentials: LOGIN });
      const page = await context.newPage();
      const board = `http://127.0.0.1:${operations?.port}/queues`;
      await page.goto(board);
      await page
        .getByRole('link', { name: /payments\.retry/ })
        .first()
        .click();
      await page
        .getByRole('link', { name: /delayed/i })
        .first()
        .click();
      await page.getByText(`LIVE-${at.getTime()}-0`).first().waitFor();
      expect((await fetch(board)).status).toBe(401);
    });
  },
);
