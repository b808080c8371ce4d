import { expect, it } from 'vitest';
import type { SubscriptionDetailAnswer } from '../../src/api/portal/answers.ts';
import { describeStatus } from '../../web/customer/portal/describe-status.ts';

type Wallet = NonNullable<SubscriptionDetailAnswer['wallet']>;

const describe = (status: 'ACTIVE' | 'PAST_DUE', approval: Wallet['approval']) =>
  describeStatus(
    { status, nextPaymentAt: '2026-12-24T12:00:00Z', wallet: { approval } } as SubscriptionDetailAnswer,
    '9.99 USDC',
  );

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
