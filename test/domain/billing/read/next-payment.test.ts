import { expect, it } from 'vitest';
import { nextPaymentOf } from '../../../../src/domain/billing/read/next-payment.ts';

const due = new Date('2026-12-02T00:00:00Z');
const end = new Date('2026-12-05T00:00:00Z');

it.each([
  ['an active one', 'ACTIVE', false, null, { nextPaymentAt: due, accessUntil: null }],
  ['one that is past due', 'PAST_DUE', false, null, { nextPaymentAt: due, accessUntil: null }],
  ['one that runs out', 'ACTIVE', true, null, { nextPaymentAt: null, accessUntil: due }],
  ['one that runs out unpaid', 'PAST_DUE', true, null, { nextPaymentAt: null, accessUntil: due }],
  ['a cancelled one', 'CANCELLED', false, end, { nextPaymentAt: null, accessUntil: end }],
  ['one that ran out', 'CANCELLED', true, end, { nextPaymentAt: null, accessUntil: end }],
  ['an expired one', 'EXPIRED', false, null, { nextPaymentAt: null, accessUntil: null }],
] as const)('what comes next of %s', (_, status, cancelAtPeriodEnd, accessUntil, next) => {
  expect(nextPaymentOf({ status, cancelAtPeriodEnd, nextPaymentAt: due, accessUntil })).toEqual(next);
});
