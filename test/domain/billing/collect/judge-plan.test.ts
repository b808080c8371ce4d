import type { Address } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import type { PlanAccount, SubscriptionAccount } from '../../../../src/chain/accounts/accounts.ts';
import { mintFacts, requiresMemo } from '../../../../src/chain/accounts/token-extensions.ts';
import { judgePlan, type PlanCircumstances } from '../../../../src/domain/billing/collect/judge-plan.ts';

const plan = {
  owner: 'merchant',
  pullers: ['dues'],
  destinations: ['merchant'],
  endsAt: 0n,
  createdAt: 7n,
} as unknown as PlanAccount;
const receiver = {
  receiverTokenAccount: 'tokens' as Address,
  receiverIsMissing: false,
  usable: [],
  refuses: null,
  slot: 1n,
};
const mint = { takesFee: false, scheduledFee: null, hasHook: false, isPaused: false, startsFrozen: false };
const healthy: PlanCircumstances = {
  plan,
  receiver,
  receiverWallet: 'merchant',
  collectors: ['dues'],
  isClosedInMirror: false,
  mint,
  subscription: { planCreatedAt: 7n } as SubscriptionAccount,
  chainTime: 1_000n,
};

describe('a plan', () => {
  it.each<[string, Partial<PlanCircumstances>, string | undefined]>([
    ['as it was published', {}, undefined],
    ['that is closed, also in the mirror', { plan: 'gone', isClosedInMirror: true }, 'over deleted'],
    ['that is not found, but is not closed in the mirror', { plan: 'gone' }, 'blocked not_found'],
    ['that is unreadable', { plan: 'unreadable' }, 'blocked unreadable'],
    ['in the second in which it ends', { plan: { ...plan, endsAt: 1_000n } }, undefined],
    ['that has ended', { plan: { ...plan, endsAt: 999n } }, 'over ended'],
    ['that was created again', { plan: { ...plan, createdAt: 8n } }, 'over made_again'],
    ['without the collector as a puller', { plan: { ...plan, pullers: [] } }, 'blocked not_our_plan_to_pull'],
    [
      'with another destination',
      { plan: { ...plan, destinations: ['else' as Address] } },
      'blocked other_destination',
    ],
    ['that names no destination, so that any is allowed', { plan: { ...plan, destinations: [] } }, undefined],
    ['whose token has no extensions', { mint: undefined }, undefined],
    ['whose token takes a fee', { mint: { ...mint, takesFee: true } }, 'blocked mint_takes_fee'],
    ['whose token has a hook', { mint: { ...mint, hasHook: true } }, 'blocked mint_has_hook'],
    ['whose token is paused', { mint: { ...mint, isPaused: true } }, 'blocked mint_paused'],
    ['whose token has new accounts frozen', { mint: { ...mint, startsFrozen: true } }, undefined],
    [
      'whose receiver takes only confidential transfers',
      { receiver: { ...receiver, refuses: 'confidential' } },
      'blocked receiver_confidential',
    ],
    ['whose receiver is frozen', { receiver: { ...receiver, refuses: 'frozen' } }, 'blocked receiver_frozen'],
    [
      'whose receiver requires memos',
      { receiver: { ...receiver, refuses: 'requires_memo' } },
      'blocked receiver_requires_memo',
    ],
  ])('%s', (_, changes, expected) => {
    const problem = judgePlan({ ...healthy, ...changes });
    expect(problem && `${problem.kind} ${problem.why}`).toBe(expected);
  });
});

it.each([
  ['enabled', 1, true],
  ['disabled', 0, false],
])('a token account with the memo extension %s', (_, value, expected) => {
  // Type 8, one byte long, after the account and the byte of the account type.
  expect(requiresMemo(Uint8Array.from([...Array(166).fill(0), 8, 0, 1, 0, value]))).toBe(expected);
});

it.each([
  ['a fee', { current: [0, 100], next: [9, 100] }, true],
  ['a fee from a later epoch', { current: [0, 0], next: [9, 100] }, false],
  ['a fee since this epoch', { current: [0, 0], next: [8, 100] }, true],
  ['a fee until a later epoch', { current: [0, 100], next: [9, 0] }, true],
  ['a fee until this epoch', { current: [0, 100], next: [8, 0] }, false],
])('a mint with %s in epoch 8', (_, { current, next }, expected) => {
  const rate = ([epoch = 0, points = 0]: readonly number[]) => {
    const bytes = Buffer.alloc(18);
    bytes.writeBigUInt64LE(BigInt(epoch), 0);
    bytes.writeBigUInt64LE(1_000_000n, 8);
    bytes.writeUInt16LE(points, 16);
    return bytes;
  };
  const head = Buffer.from([1, 1, 0, 108, 0]);
  const mint = Buffer.concat([Buffer.alloc(165), head, Buffer.alloc(72), rate(current), rate(next)]);
  expect(mintFacts(mint, 8n).takesFee).toBe(expected);
});
