import { expect, it } from 'vitest';
import type { SubscriptionAnswer } from '../../src/api/portal/answers.ts';
import { describeNext, describeStatus } from '../../web/customer/portal/describe-status.ts';

type Wallet = NonNullable<SubscriptionAnswer['wallet']>;

const withApproval = (status: 'ACTIVE' | 'PAST_DUE', approval: Wallet['approval']) =>
  ({ status, nextPaymentAt: '2026-12-24T12:00:00Z', wallet: { approval } }) as SubscriptionAnswer;
const describe = (...facts: Parameters<typeof withApproval>) =>
  describeStatus(withApproval(...facts), '9.99 USDC');
const describeInList = (...facts: Parameters<typeof withApproval>) => describeNext(withApproval(...facts));

it.each([
  ['REVOKED', /^The approval was revoked, so the charge of .*24.* will fail. Renew the approval/],
  ['REPLACED', /^Another app replaced the approval, so the charge of .*24.* will fail. Renew the approval/],
  ['CLOSED', /^The approval was closed, so the charge of .*24.* will fail. .*subscribe again/],
] as const)('an approval that is %s is the first thing a customer reads', (approval, words) => {
  expect(describe('ACTIVE', approval)).toMatch(words);
  expect(describe('ACTIVE', approval)).not.toContain('will be charged');
  expect(describe('PAST_DUE', approval)).toMatch(/approval.*overdue/);
});

it('a valid approval leaves the next charge and an overdue payment as they are', () => {
  expect(describe('ACTIVE', 'OK')).toContain('will be charged on');
  expect(describe('PAST_DUE', 'OK')).toMatch(/^A payment is overdue/);
});

it.each(['REVOKED', 'REPLACED', 'CLOSED'] as const)(
  'a list says that an approval is %s instead of the date of the next payment',
  (approval) => {
    expect(describeInList('ACTIVE', approval)).toMatch(/approval.*, so the charge of .*24.* will fail\.$/);
    expect(describeInList('PAST_DUE', approval)).toMatch(/approval.*, and a payment is overdue\.$/);
  },
);

it('a list says when the next payment is, and since when one is overdue', () => {
  expect(describeInList('ACTIVE', 'OK')).toMatch(/^Next payment on .*24/);
  expect(describeInList('PAST_DUE', 'OK')).toMatch(/^Overdue since .*24/);
  expect(describeNext({ ...withApproval('ACTIVE', 'OK'), wallet: null })).toMatch(/^Next payment on .*24/);
});
