import { expect, test } from 'vitest';
import type { ExpectedAccount } from '../../../indexer/repair/expected-accounts.ts';
import { digestOf, needsApplying } from '../../../indexer/repair/needs-applying.ts';
import type { KnownSubscription } from '../../../src/domain/billing/lifecycle/is-unchanged.ts';

/** A subscription's account in its first period, which began at 100. */
function account(expiresAt = 0n, pulled = 0n): Uint8Array {
  const data = new Uint8Array(155);
  data[0] = 4;
  const view = new DataView(data.buffer);
  view.setBigUint64(131, pulled, true);
  view.setBigInt64(139, 100n, true);
  view.setBigInt64(147, expiresAt, true);
  return data;
}

const mirrored = (data: Uint8Array, slot = 5n, closed = false) => ({ slot, closed, digest: digestOf(data) });
const subscription = (status: KnownSubscription['status'], cancelledOnChain = false) =>
  ({
    status,
    cancelledOnChain,
    chainCreatedAt: 100n,
    intervalSeconds: 3_600,
  }) as ExpectedAccount['subscriptions'][number];
const read = (data: Uint8Array | null, slot = 9n) => ({ data, slot });
/** The slot up to which everything was applied. */
const POSITION = 7n;

test.each([
  {
    name: 'as it is mirrored',
    have: { mirrored: mirrored(account()), subscriptions: [subscription('ACTIVE')] },
    read: read(account()),
    is: false,
  },
  {
    name: 'pulled from since then',
    have: { mirrored: mirrored(account()), subscriptions: [subscription('ACTIVE')] },
    read: read(account(0n, 1n)),
    is: true,
  },
  {
    name: 'older than what is mirrored',
    have: { mirrored: mirrored(account(), 10n), subscriptions: [subscription('ACTIVE')] },
    read: read(account(0n, 1n)),
    is: false,
  },
  {
    name: 'mirrored after the position, and perhaps not told',
    have: { mirrored: mirrored(account(), 8n), subscriptions: [subscription('ACTIVE')] },
    read: read(account()),
    is: true,
  },
  {
    name: 'never mirrored',
    have: { mirrored: undefined, subscriptions: [] },
    read: read(account()),
    is: true,
  },
  {
    name: 'there again',
    have: { mirrored: mirrored(account(), 5n, true), subscriptions: [] },
    read: read(account()),
    is: true,
  },
  {
    name: 'cancelled, and collected from all the same',
    have: { mirrored: mirrored(account(200n)), subscriptions: [subscription('PAST_DUE')] },
    read: read(account(200n)),
    is: true,
  },
  {
    name: 'cancelled, and not collected from',
    have: { mirrored: mirrored(account(200n)), subscriptions: [subscription('CANCELLED')] },
    read: read(account(200n)),
    is: false,
  },
  {
    name: 'cancelled on chain, as is mirrored',
    have: { mirrored: mirrored(account(200n)), subscriptions: [subscription('CANCELLED', true)] },
    read: read(account(200n)),
    is: false,
  },
  {
    name: 'resumed on chain, and not collected from',
    have: { mirrored: mirrored(account()), subscriptions: [subscription('CANCELLED', true)] },
    read: read(account()),
    is: true,
  },
  {
    name: 'cancelled by the merchant, and never on chain',
    have: { mirrored: mirrored(account()), subscriptions: [subscription('CANCELLED')] },
    read: read(account()),
    is: false,
  },
  {
    name: 'closed, and open in the mirror',
    have: { mirrored: mirrored(account()), subscriptions: [] },
    read: read(null),
    is: true,
  },
  {
    name: 'closed, as is mirrored',
    have: { mirrored: mirrored(account(), 5n, true), subscriptions: [] },
    read: read(null),
    is: false,
  },
  {
    name: 'closed, as is mirrored, and its life not',
    have: { mirrored: mirrored(account(), 5n, true), subscriptions: [subscription('ACTIVE')] },
    read: read(null),
    is: true,
  },
  {
    name: 'a plan that was never published',
    have: { mirrored: undefined, subscriptions: [] },
    read: read(null),
    is: false,
  },
  {
    name: 'not readable any more',
    have: { mirrored: mirrored(account()), subscriptions: [subscription('ACTIVE')] },
    read: read(Uint8Array.of(4, 1, 2)),
    is: true,
  },
])('$name: $is', ({ have, read, is }) => {
  expect(needsApplying(have, read, POSITION)).toBe(is);
});
