import { address } from '@solana/kit';
import { expect, test } from 'vitest';
import { applyAccount } from '../../../indexer/apply/apply-account.ts';
import type { SeenAccount } from '../../../indexer/order/seen-account.ts';
import { accountFromRead } from '../../../indexer/order/seen-account.ts';
import type { Db } from '../../../src/db/db.ts';
import { startIndexerWorld } from '../world.ts';

/** Publishes a plan, applies these states of its account in turn, and returns the mirror. */
async function applyStates(states: readonly { open: boolean; slot: bigint; writeVersion?: bigint }[]) {
  const world = await startIndexerWorld();
  const plan = await world.publish();
  const target = address(plan.address);
  const { data } = await world.see(target);
  for (const { open, slot, writeVersion } of states) {
    const seen: SeenAccount =
      writeVersion === undefined
        ? { ...accountFromRead(target, undefined, slot), ...(open && { data }) }
        : { address: target, data: open ? data : null, slot, writeVersion };
    await applyAccount(world.ctx, 'TEST', seen);
  }
  const { closed, slot } = await world.db.chainAccount.findFirstOrThrow();
  return { closed, slot, status: (await world.db.plan.findUniqueOrThrow({ where: { id: plan.id } })).status };
}

test.each([
  {
    name: 'an older update does not reopen a closed account',
    states: [
      { open: true, slot: 5n, writeVersion: 1n },
      { open: false, slot: 9n },
      { open: true, slot: 8n, writeVersion: 7n },
    ],
    mirror: { closed: true, slot: 9n, status: 'INACTIVE' },
  },
  {
    name: 'a read shows all writes of its slot, even those that arrive after it',
    states: [
      { open: true, slot: 5n, writeVersion: 1n },
      { open: false, slot: 9n },
      { open: true, slot: 9n, writeVersion: 7n },
    ],
    mirror: { closed: true, slot: 9n, status: 'INACTIVE' },
  },
  {
    name: 'the last write of a slot counts, in any order of arrival',
    states: [
      { open: false, slot: 9n, writeVersion: 2n },
      { open: true, slot: 9n, writeVersion: 3n },
      { open: false, slot: 9n, writeVersion: 2n },
    ],
    mirror: { closed: false, slot: 9n, status: 'ACTIVE' },
  },
  {
    name: 'an account that is created again at the address of a closed one is open',
    states: [
      { open: true, slot: 5n, writeVersion: 1n },
      { open: false, slot: 9n },
      { open: true, slot: 10n, writeVersion: 8n },
    ],
    mirror: { closed: false, slot: 10n, status: 'ACTIVE' },
  },
])('$name', async ({ states, mirror }) => {
  expect(await applyStates(states)).toEqual(mirror);
});

test('a plan is not changed if another process mirrors a newer state at the same time', async () => {
  const world = await startIndexerWorld();
  const plan = await world.publish();
  const target = address(plan.address);
  const { data } = await world.see(target);
  const closed = accountFromRead(target, undefined, 5n);
  await applyAccount(world.ctx, 'TEST', { ...closed, data });
  let applying: Promise<void> | undefined;
  await world.db.$transaction(async (tx) => {
    await tx.chainAccount.updateMany({ data: { slot: 9n } });
    applying = applyAccount(world.ctx, 'TEST', { ...closed, slot: 8n });
    await expect.poll(() => countLockWaits(world.db)).toBe(1);
  });
  await applying;
  expect(await world.db.plan.findUniqueOrThrow({ where: { id: plan.id } })).toMatchObject({
    status: 'ACTIVE',
  });
  expect(await world.db.chainAccount.findFirstOrThrow()).toMatchObject({ closed: false, slot: 9n });
});

async function countLockWaits(db: Db): Promise<number | undefined> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS "count" FROM pg_stat_activity
    WHERE "datname" = current_database() AND "wait_event_type" = 'Lock'`;
  return row?.count;
}
