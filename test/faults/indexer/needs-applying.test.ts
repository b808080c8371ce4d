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
    periodSeconds: 3_600,
  }) as ExpectedAccount['subscriptions'][number];
const read = (data: Uint8Array | null, slot = 9n) => ({ data, slot });
/** The slot up to which everything was applied. */
const POSITION = 7n;

test.each([
  {
    name: 'an unchanged account',
    stored: { mirrored: mirrored(account()), subscriptions: [subscription('ACTIVE')] },
    read: read(account()),
    expected: false,
  },
  {
    name: 'an account with a later pull',
    stored: { mirrored: mirrored(account()), subscriptions: [subscription('ACTIVE')] },
    read: read(account(0n, 1n)),
    expected: true,
  },
  {
    name: 'a read that is older than the mirror',
    stored: { mirrored: mirrored(account(), 10n), subscriptions: [subscription('ACTIVE')] },
    read: read(account(0n, 1n)),
    expected: false,
  },
  {
    name: 'an account that was mirrored after the position, and perhaps not applied',
    stored: { mirrored: mirrored(account(), 8n), subscriptions: [subscription('ACTIVE')] },
    read: read(account()),
    expected: true,
  },
  {
    name: 'an account that was never mirrored',
    stored: { mirrored: undefined, subscriptions: [] },
    read: read(account()),
    expected: true,
  },
  {
    name: 'an account that was closed in the mirror',
    stored: { mirrored: mirrored(account(), 5n, true), subscriptions: [] },
    read: read(account()),
    expected: true,
  },
  {
    name: 'a cancelled account whose subscription is collected',
    stored: { mirrored: mirrored(account(200n)), subscriptions: [subscription('PAST_DUE')] },
    read: read(account(200n)),
    expected: true,
  },
  {
    name: 'a cancelled account whose subscription is not collected',
    stored: { mirrored: mirrored(account(200n)), subscriptions: [subscription('CANCELLED')] },
    read: read(account(200n)),
    expected: false,
  },
  {
    name: 'a cancelled account whose subscription was cancelled on chain',
    stored: { mirrored: mirrored(account(200n)), subscriptions: [subscription('CANCELLED', true)] },
    read: read(account(200n)),
    expected: false,
  },
  {
    name: 'a resumed account whose subscription is not collected',
    stored: { mirrored: mirrored(account()), subscriptions: [subscription('CANCELLED', true)] },
    read: read(account()),
    expected: true,
  },
  {
    name: 'an open account whose subscription the merchant cancelled',
    stored: { mirrored: mirrored(account()), subscriptions: [subscription('CANCELLED')] },
    read: read(account()),
    expected: false,
  },
  {
    name: 'a closed account that is open in the mirror',
    stored: { mirrored: mirrored(account()), subscriptions: [] },
    read: read(null),
    expected: true,
  },
  {
    name: 'a closed account that is closed in the mirror',
    stored: { mirrored: mirrored(account(), 5n, true), subscriptions: [] },
    read: read(null),
    expected: false,
  },
  {
    name: 'a closed account whose subscription is open',
    stored: { mirrored: mirrored(account(), 5n, true), subscriptions: [subscription('ACTIVE')] },
    read: read(null),
    expected: true,
  },
  {
    name: 'a plan that was never published',
    stored: { mirrored: undefined, subscriptions: [] },
    read: read(null),
    expected: false,
  },
  {
    name: 'an account that can no longer be read',
    stored: { mirrored: mirrored(account()), subscriptions: [subscription('ACTIVE')] },
    read: read(Uint8Array.of(4, 1, 2)),
    expected: true,
  },
])('$name: $expected', ({ stored, read, expected }) => {
  expect(needsApplying(stored, read, POSITION)).toBe(expected);
});
