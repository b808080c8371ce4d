import type { Address } from '@solana/kit';
import { expect, test } from 'vitest';
import { AccountBatches, type Leftover } from '../../../indexer/order/account-batches.ts';
import type { SeenAccount } from '../../../indexer/order/seen-account.ts';

const LIMITS = { waitMs: 0, batch: 2, pending: 3 };
const [ADA, BOB, CLEO] = ['ada', 'bob', 'cleo'] as unknown as [Address, Address, Address];
const NOTHING: Leftover = new Map();

const seen = (address: Address, slot: bigint, writeVersion = 0n): SeenAccount => ({
  address,
  slot,
  writeVersion,
  data: null,
});

/** Account batches that the test finishes or fails. */
function holdBatches(limits = LIMITS) {
  const batches: { slots: string[]; finish: (leftover?: Leftover) => void; fail: (error: Error) => void }[] =
    [];
  const started = [Promise.withResolvers<void>()];
  const failures: unknown[] = [];
  const accounts = new AccountBatches(
    limits,
    (batch) => {
      const { promise, resolve, reject } = Promise.withResolvers<Leftover>();
      const slots = batch.map(({ address, slot }) => `${address} ${slot}`);
      batches.push({ slots, finish: (leftover = NOTHING) => resolve(leftover), fail: reject });
      started.at(-1)?.resolve();
      started.push(Promise.withResolvers());
      return promise;
    },
    (error) => failures.push(error),
  );
  const batch = async (index: number) => {
    await started[index]?.promise;
    return batches[index] as (typeof batches)[number];
  };
  return { accounts, batch, batches, failures };
}

test('only the newest of several waiting states of an account is applied', async () => {
  const { accounts, batch } = holdBatches();
  const done = [seen(ADA, 7n), seen(ADA, 9n), seen(ADA, 8n), seen(ADA, 9n, 1n)].map((state) =>
    accounts.add(state),
  );
  const first = await batch(0);
  expect(first.slots).toEqual(['ada 9']);
  first.finish();
  expect(await Promise.all(done)).toEqual([true, true, true, true]);
});

test('a state of an account that is being applied waits, and other accounts continue', async () => {
  const { accounts, batch, batches } = holdBatches();
  const application = Promise.withResolvers<boolean>();
  const first = accounts.add(seen(ADA, 1n));
  (await batch(0)).finish(new Map([[ADA, application.promise]]));
  const second = accounts.add(seen(ADA, 2n));
  const other = accounts.add(seen(BOB, 2n));
  (await batch(1)).finish();
  expect(await other).toBe(true);
  expect(batches.map(({ slots }) => slots)).toEqual([['ada 1'], ['bob 2']]);
  application.resolve(true);
  expect(await first).toBe(true);
  const third = await batch(2);
  expect(third.slots).toEqual(['ada 2']);
  third.finish();
  expect(await second).toBe(true);
});

test('a batch has a maximum size, and the producer waits while too many updates wait', async () => {
  const { accounts, batch } = holdBatches();
  for (const address of [ADA, BOB, CLEO]) void accounts.add(seen(address, 1n));
  let hasRoom = false;
  const room = accounts.waitForRoom().then(() => {
    hasRoom = true;
  });
  const first = await batch(0);
  expect(first.slots).toEqual(['ada 1', 'bob 1']);
  expect(hasRoom).toBe(false);
  first.finish();
  await room;
  (await batch(1)).finish();
  await accounts.waitUntilFinished();
});

test('waiting for the end does not include work added meanwhile', async () => {
  const { accounts, batch } = holdBatches({ ...LIMITS, batch: 1 });
  void accounts.add(seen(ADA, 1n));
  const first = await batch(0);
  void accounts.add(seen(BOB, 1n));
  let isFinished = false;
  const finished = accounts.waitUntilFinished().then(() => {
    isFinished = true;
  });
  void accounts.add(seen(CLEO, 1n));
  first.finish();
  const second = await batch(1);
  expect(isFinished).toBe(false);
  second.finish();
  await finished;
  (await batch(2)).finish();
});

test('an update that could not be applied, or came after the stop, is open', async () => {
  const { accounts, batch } = holdBatches();
  const added = accounts.add(seen(ADA, 1n));
  (await batch(0)).finish(new Map([[ADA, Promise.resolve(false)]]));
  expect(await added).toBe(false);
  accounts.stop();
  expect(await accounts.add(seen(BOB, 1n))).toBe(false);
});

test('a batch that fails stops everything, and is reported once', async () => {
  const { accounts, batch, failures } = holdBatches();
  const first = accounts.add(seen(ADA, 1n));
  const failing = await batch(0);
  const waiting = accounts.add(seen(BOB, 1n));
  const error = new Error('no database');
  failing.fail(error);
  expect(await Promise.all([first, waiting])).toEqual([false, false]);
  expect(failures).toEqual([error]);
  expect(accounts.isStopped).toBe(true);
  await accounts.waitUntilFinished();
});
