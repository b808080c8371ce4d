import type { Address, Instruction, KeyPairSigner } from '@solana/kit';
import {
  getCloseSubscriptionAuthorityInstruction,
  getDeletePlanInstruction,
  getRevokeSubscriptionOverlayInstruction,
} from '@solana/subscriptions';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { describe, expect, test } from 'vitest';
import { decodePlan } from '../../src/chain/accounts/accounts.ts';
import { authorityAddress } from '../../src/chain/accounts/addresses.ts';
import type { Pull } from '../../src/chain/accounts/pulls.ts';
import { explainPullFailure, type PullFailure } from '../../src/chain/pull-failures.ts';
import type { TransactionFailure } from '../../src/chain/rpc/transaction-failure.ts';
import { cancelTransaction } from '../../src/chain/transactions/cancel-transactions.ts';
import { updatePlanInstruction } from '../../src/chain/transactions/program-additions.ts';
import { repairToSign } from '../../tools/world/transactions-to-sign.ts';
import { createWorld, HOUR, PRICE, USDC, type World } from './world.ts';

/** A world with a plan that ends in ten hours. */
async function openWorld() {
  const world = await createWorld();
  const endsAt = BigInt(world.network.unixSeconds() + 10 * HOUR);
  const plan = await world.publishPlan({ endsAt });
  const [payer, good] = [await world.newCustomer(plan), await world.newCustomer(plan)];
  return { ...world, plan, payer, good };
}
type Opened = Awaited<ReturnType<typeof openWorld>>;

async function cancel({ chain, signAndLand, plan, payer }: Opened): Promise<void> {
  const parties = { subscriber: payer.wallet.address, plan: plan.address };
  await signAndLand(await cancelTransaction(chain, parties), payer.wallet);
}

async function closeAuthority({ landInstructions, payer }: Opened): Promise<void> {
  const { wallet } = payer;
  const subscriptionAuthority = await authorityAddress(wallet.address, USDC);
  const close = getCloseSubscriptionAuthorityInstruction({ user: wallet, subscriptionAuthority });
  await landInstructions(wallet, [close]);
}

async function repair({ chain, signAndLand, payer }: Opened): Promise<void> {
  const terms = { subscriber: payer.wallet.address, mint: USDC, tokenProgram: TOKEN_PROGRAM_ADDRESS };
  await signAndLand(await repairToSign(chain, terms), payer.wallet);
}

/** Overwrites 8 bytes of an account of the program with a number. */
async function overwrite(
  { cheat, dataOf }: World,
  address: Address,
  offset: number,
  value: bigint,
): Promise<void> {
  const data = Buffer.from(await dataOf(address));
  data.writeBigInt64LE(value, offset);
  await cheat('surfnet_setAccount', [address, { data: data.toString('hex') }]);
}

function closeTokenAccount({ cheat }: World, address: Address): Promise<void> {
  return cheat('surfnet_setAccount', [
    address,
    { lamports: 0, data: '', owner: '11111111111111111111111111111111' },
  ]);
}

interface FailureCase {
  readonly name: string;
  readonly code: number | string;
  readonly expected: PullFailure;
  /** Causes the failure. */
  readonly cause?: (opened: Opened, pull: Pull) => Promise<void>;
  /** The pull to sign instead. */
  readonly pull?: (opened: Opened, pull: Pull) => Promise<Pull>;
  /** Whether the cause also makes the other pull fail. */
  readonly failsAll?: true;
}

const payer = (failureCode: 'INSUFFICIENT_FUNDS' | 'APPROVAL_REVOKED') =>
  ({ kind: 'payer', failureCode }) as const;
const payerOrMerchant = (failureCode: 'ACCOUNT_FROZEN' | 'ACCOUNT_CLOSED') =>
  ({ kind: 'payer_or_merchant', failureCode }) as const;

const PERIOD_START_OFFSET = 139;
const PLAN_AMOUNT_OFFSET = 75;

const CASES: FailureCase[] = [
  {
    name: 'a balance one unit below the price',
    code: 1,
    expected: payer('INSUFFICIENT_FUNDS'),
    cause: ({ setTokens, payer }) => setTokens(payer.wallet.address, { amount: PRICE - 1n }),
  },
  {
    name: 'a revoked approval',
    code: 4,
    expected: payer('APPROVAL_REVOKED'),
    cause: ({ setTokens, payer }) => setTokens(payer.wallet.address, { delegate: null, delegatedAmount: 0 }),
  },
  {
    name: 'an approval that another app overwrote',
    code: 4,
    expected: payer('APPROVAL_REVOKED'),
    cause: ({ setTokens, payer, merchant }) =>
      setTokens(payer.wallet.address, { delegate: merchant.address }),
  },
  {
    name: "the payer's frozen account",
    code: 17,
    expected: payerOrMerchant('ACCOUNT_FROZEN'),
    cause: ({ setTokens, payer }) => setTokens(payer.wallet.address, { state: 'frozen' }),
  },
  {
    name: "the merchant's frozen account",
    code: 17,
    expected: payerOrMerchant('ACCOUNT_FROZEN'),
    cause: ({ setTokens, merchant }) => setTokens(merchant.address, { state: 'frozen' }),
    failsAll: true,
  },
  {
    name: "the payer's closed account",
    code: 110,
    expected: payerOrMerchant('ACCOUNT_CLOSED'),
    cause: (opened, pull) => closeTokenAccount(opened, pull.payerTokenAccount),
  },
  {
    name: "the merchant's closed account",
    code: 110,
    expected: payerOrMerchant('ACCOUNT_CLOSED'),
    cause: (opened, pull) => closeTokenAccount(opened, pull.receiverTokenAccount),
    failsAll: true,
  },
  {
    name: 'a closed authority',
    code: 103,
    expected: payer('APPROVAL_REVOKED'),
    cause: closeAuthority,
  },
  {
    name: 'an authority that was created again',
    code: 136,
    expected: payer('APPROVAL_REVOKED'),
    cause: async (opened) => {
      await closeAuthority(opened);
      await repair(opened);
    },
  },
  {
    name: 'the authority of another payer',
    code: 126,
    expected: payer('APPROVAL_REVOKED'),
    pull: async ({ good }, pull) => ({
      ...pull,
      authority: await authorityAddress(good.wallet.address, USDC),
    }),
  },
  {
    name: 'a second pull in one period',
    code: 400,
    expected: { kind: 'already_collected' },
    cause: async ({ land, sign }, pull) => {
      await land((await sign([pull])).wire);
    },
  },
  {
    name: 'a period that starts later',
    code: 407,
    expected: { kind: 'not_open' },
    cause: async (opened) => {
      const { periodStart } = await opened.subscriptionOf(opened.payer);
      await overwrite(opened, opened.payer.subscription, PERIOD_START_OFFSET, periodStart + BigInt(HOUR));
    },
  },
  {
    name: 'a cancelled subscription after its last period',
    code: 508,
    expected: { kind: 'cancelled' },
    cause: async (opened) => {
      await cancel(opened);
      await opened.travel(HOUR);
    },
  },
  {
    name: 'a closed subscription',
    code: 'InvalidAccountOwner',
    expected: { kind: 'cancelled' },
    cause: async (opened) => {
      const { payer, plan } = opened;
      await cancel(opened);
      await opened.travel(HOUR);
      const revoke = getRevokeSubscriptionOverlayInstruction({
        authority: payer.wallet,
        planPda: plan.address,
        subscriptionPda: payer.subscription,
      });
      await opened.landInstructions(payer.wallet, [revoke]);
    },
  },
  {
    name: 'a plan that has ended',
    code: 501,
    expected: { kind: 'plan_ended' },
    cause: ({ travel }) => travel(10 * HOUR + 1),
    failsAll: true,
  },
  {
    name: 'a deleted plan',
    code: 516,
    expected: { kind: 'plan_ended' },
    cause: async ({ travel, landInstructions, merchant, plan }) => {
      await travel(10 * HOUR + 1);
      await landInstructions(merchant, [
        getDeletePlanInstruction({ owner: merchant, planPda: plan.address }),
      ]);
    },
    failsAll: true,
  },
  {
    name: 'a plan that was created again with other terms',
    code: 519,
    expected: { kind: 'plan_ended' },
    cause: (opened) => overwrite(opened, opened.plan.address, PLAN_AMOUNT_OFFSET, 1n),
    failsAll: true,
  },
  {
    name: 'a plan whose owner removed the collector',
    code: 130,
    expected: { kind: 'ours' },
    cause: async ({ landInstructions, merchant, plan, dataOf }) => {
      await landInstructions(merchant, [removeCollector(merchant, plan.address, await dataOf(plan.address))]);
    },
    failsAll: true,
  },
  {
    name: 'a receiver that the plan does not allow',
    code: 506,
    expected: { kind: 'ours' },
    pull: async ({ good, pullsOf, plan }, pull) => {
      const [otherPull] = await pullsOf(plan, good);
      return { ...pull, receiverTokenAccount: otherPull?.payerTokenAccount ?? pull.receiverTokenAccount };
    },
  },
  {
    name: 'an amount of zero',
    code: 129,
    expected: { kind: 'ours' },
    pull: async (_, pull) => ({ ...pull, amount: 0n }),
  },
];

function removeCollector(owner: KeyPairSigner, plan: Address, data: Uint8Array): Instruction {
  const seen = decodePlan(data);
  return updatePlanInstruction({ owner, plan, active: true, wanted: { ...seen, pullers: [] }, seen });
}

describe('a pull that fails on chain', () => {
  test.each(CASES)('$name: $code', async ({ code, expected, failsAll, ...changes }) => {
    const opened = await openWorld();
    const { plan, payer, good, pullsOf, sign, outcome } = opened;
    const [goodPull, pull] = await pullsOf(plan, good, payer);
    if (!goodPull || !pull) throw new Error('No pulls');
    await changes.cause?.(opened, pull);
    const failingPull = (await changes.pull?.(opened, pull)) ?? pull;
    const companions = failsAll ? [] : [goodPull];
    for (const version of [0, 1] as const) {
      const pulls = [...companions, failingPull];
      const { err } = await outcome((await sign(pulls, version)).wire);
      if (!err) throw new Error('The transaction landed without an error');
      expect(err.custom ?? err.name).toBe(code);
      expect(explainPullFailure(err, [...pulls.keys()])).toEqual({
        pullIndex: pulls.length - 1,
        failure: expected,
      });
    }
  });
});

describe('an error that no pull caused', () => {
  const failure = (name: string, instruction: number | null, custom: number | null): TransactionFailure => ({
    name,
    instruction,
    custom,
  });

  test.each([
    failure('BlockhashNotFound', null, null),
    failure('AccountNotFound', null, null),
    failure('InsufficientFundsForFee', null, null),
    // In a version 0 transaction, the instruction that sets the compute limit follows the pulls.
    failure('Custom', 2, 1),
  ])('$name at $instruction', (error) => {
    expect(explainPullFailure(error, [0, 1])).toEqual({ pullIndex: null, failure: { kind: 'ours' } });
  });

  test.each([
    failure('ComputationalBudgetExceeded', 1, null),
    failure('ProgramFailedToComplete', 1, null),
    failure('Custom', 1, 2),
    failure('Custom', 1, 100),
    failure('Custom', 1, 999),
  ])('$name $custom at $instruction is an error of dues', (error) => {
    expect(explainPullFailure(error, [0, 1])).toEqual({ pullIndex: 1, failure: { kind: 'ours' } });
  });
});
