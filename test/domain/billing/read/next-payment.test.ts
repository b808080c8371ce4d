import { expect, it } from 'vitest';
import { nextPaymentOf } from '../../../../src/domain/billing/read/next-payment.ts';

const due = new Date('2026-12-02T00:00:00Z');
const end = new Date('2026-12-05T00:00:00Z');

/** Without a waiver. */
const CHARGED = { waivedFrom: null, waivedUntil: null };

it.each([
  ['an active subscription', 'ACTIVE', false, null, { nextPaymentAt: due, accessUntil: null }],
  ['a subscription that is past due', 'PAST_DUE', false, null, { nextPaymentAt: due, accessUntil: null }],
  [
    'a subscription that ends after its period',
    'ACTIVE',
    true,
    null,
    { nextPaymentAt: null, accessUntil: due },
  ],
  [
    'an unpaid subscription that ends after its period',
    'PAST_DUE',
    true,
    null,
    { nextPaymentAt: null, accessUntil: due },
  ],
  ['a payment that waits', 'PAST_DUE', false, end, { nextPaymentAt: due, accessUntil: end }],
  ['a payment that waits and ends', 'PAST_DUE', true, end, { nextPaymentAt: null, accessUntil: end }],
  [
    'an active subscription of an old process',
    'ACTIVE',
    false,
    end,
    { nextPaymentAt: due, accessUntil: null },
  ],
  ['a cancelled subscription', 'CANCELLED', false, end, { nextPaymentAt: null, accessUntil: end }],
  [
    'a subscription that ended after its period',
    'CANCELLED',
    true,
    end,
    { nextPaymentAt: null, accessUntil: end },
  ],
  ['an expired subscription', 'EXPIRED', false, null, { nextPaymentAt: null, accessUntil: null }],
] as const)(
  'the next payment and the end of access of %s',
  (_, status, cancelAtPeriodEnd, accessUntil, next) => {
    const plan = { endsAt: null };
    const subscription = { ...CHARGED, status, cancelAtPeriodEnd, nextPaymentAt: due, accessUntil };
    expect(nextPaymentOf({ ...subscription, plan })).toEqual(next);
  },
);

it.each([
  [-1, { nextPaymentAt: null, accessUntil: due }],
  [0, { nextPaymentAt: null, accessUntil: due }],
  [1, { nextPaymentAt: due, accessUntil: null }],
])('a plan that ends %i seconds after the due date', (seconds, next) => {
  const plan = { endsAt: new Date(due.getTime() + seconds * 1_000) };
  const active = {
    ...CHARGED,
    status: 'ACTIVE',
    cancelAtPeriodEnd: false,
    nextPaymentAt: due,
    accessUntil: null,
  } as const;
  expect(nextPaymentOf({ ...active, plan })).toEqual(next);
});

it('a payment that waits keeps the end of its access on a plan that ends', () => {
  const unpaid = { ...CHARGED, status: 'PAST_DUE', cancelAtPeriodEnd: false, nextPaymentAt: due } as const;
  expect(nextPaymentOf({ ...unpaid, accessUntil: end, plan: { endsAt: due } })).toEqual({
    nextPaymentAt: null,
    accessUntil: end,
  });
});

it.each([
  ['in a pause of two periods', 0, 2, 2],
  ['in a pause until it is resumed', 0, null, null],
  ['before a pause', 1, 2, 0],
  ['after a pause', -2, 0, 0],
])('the next payment %s is the first one that is charged', (_, from, until, charged) => {
  const day = (days: number | null) => (days === null ? null : new Date(due.getTime() + days * 86_400_000));
  const paused = {
    status: 'ACTIVE',
    cancelAtPeriodEnd: false,
    nextPaymentAt: due,
    accessUntil: null,
    waivedFrom: day(from),
    waivedUntil: day(until),
  } as const;
  const next = { nextPaymentAt: day(charged), accessUntil: null };
  expect(nextPaymentOf({ ...paused, plan: { endsAt: null } })).toEqual(next);
});
