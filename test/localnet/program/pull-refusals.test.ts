/** Refusals of 10 transferSubscription, and of the token program that it calls. */
import {
  getApproveInstruction,
  getFreezeAccountInstruction,
  getRevokeInstruction,
  getTransferInstruction,
} from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { makeReadonly, withAddress, withData, withoutSignature, withSigner } from './altered-instruction.ts';
import { packed } from './packed-bytes.ts';
import { testRefusals } from './refusals.ts';
import { NOBODY, openScenario, PERIOD, PRICE, type Scenario, START_BALANCE } from './scenario.ts';
import {
  accountMissing,
  createAuthorityOfOtherUser,
  createSideTokenAccount,
  createTwinPlan,
  dataTooLong,
  dataTooShort,
  eventFaults,
  foreignAccount,
  subscriptionVersions,
} from './shared-faults.ts';
import { createMint, findTokenAccount, openTokenAccount } from './tokens.ts';
import { person, START } from './world.ts';

const END = START + 10n * PERIOD;
const [SUBSCRIPTION, PLAN, AUTHORITY, FROM, TO, CALLER, MINT, TOKEN, EVENTS] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const [AMOUNT, DELEGATOR, DATA_MINT] = [0, 8, 40];

/** Offsets of fields in their accounts. */
const [AGREED_PRICE, AGREED_HOURS, PULLED, EXPIRES_AT, PLAN_HOURS, INIT_ID] = [107, 115, 131, 147, 83, 98];

async function openAccountOfOtherMint(s: Scenario, owner: Scenario['subscriber']) {
  return openTokenAccount(s.world, owner.address, await createMint(s.world, 'token', 'other'));
}

async function freeze(s: Scenario) {
  const owner = await person('mint authority');
  await s.world.land([
    getFreezeAccountInstruction({ account: s.subscriberTokens, mint: s.mint.address, owner }),
  ]);
}

async function spendBelowPrice(s: Scenario) {
  const [source, destination, authority] = [s.subscriberTokens, s.merchantTokens, s.subscriber];
  await s.world.land([
    getTransferInstruction({ source, destination, authority, amount: START_BALANCE - PRICE + 1n }),
  ]);
}

describe('transferSubscription', () => {
  testRefusals(
    () => openScenario({ terms: { endTs: END } }),
    (s) => s.pull(),
    [
      dataTooShort,
      dataTooLong,
      accountMissing,
      foreignAccount('subscription', SUBSCRIPTION),
      { name: 'the subscription is not writable', code: 131, alter: (ix) => makeReadonly(ix, SUBSCRIPTION) },
      { name: 'the plan is closed', code: 516, alter: (ix) => withAddress(ix, PLAN, NOBODY) },
      { name: 'there is no authority', code: 103, alter: (ix) => withAddress(ix, AUTHORITY, NOBODY) },
      { name: 'the authority is a plan', code: 111, alter: (ix, s) => withAddress(ix, AUTHORITY, s.plan) },
      {
        name: 'the authority is of another kind',
        code: 117,
        prepare: (s) => s.world.poke(s.authority, 0, [1]),
      },
      { name: 'the source is not writable', code: 131, alter: (ix) => makeReadonly(ix, FROM) },
      { name: 'the destination is not writable', code: 131, alter: (ix) => makeReadonly(ix, TO) },
      { name: 'the caller did not sign', code: 100, alter: (ix) => withoutSignature(ix, CALLER) },
      {
        name: 'the token program is another account',
        code: 105,
        alter: (ix) => withAddress(ix, TOKEN, NOBODY),
      },
      {
        name: 'the mint is not a mint',
        code: 109,
        alter: (ix, s) => withAddress(ix, MINT, s.merchantTokens),
      },
      {
        name: 'the mint belongs to the other token program',
        code: 105,
        alter: async (ix, s) => withAddress(ix, MINT, (await createMint(s.world, 'token-2022')).address),
      },
      {
        name: 'the source is not a token account',
        code: 110,
        alter: (ix, s) => withAddress(ix, FROM, s.mint.address),
      },
      {
        name: 'the destination is not a token account',
        code: 110,
        alter: (ix, s) => withAddress(ix, TO, s.mint.address),
      },
      {
        name: 'the destination belongs to the other token program',
        code: 105,
        alter: async (ix, s) =>
          withAddress(
            ix,
            TO,
            await openTokenAccount(s.world, s.merchant.address, await createMint(s.world, 'token-2022')),
          ),
      },
      { name: 'the plan is an authority', code: 111, alter: (ix, s) => withAddress(ix, PLAN, s.authority) },
      { name: 'the plan is of another kind', code: 117, prepare: (s) => s.world.poke(s.plan, 0, [4]) },
      {
        name: 'the mint in the data is not the plan’s',
        code: 125,
        alter: (ix) => withData(ix, DATA_MINT, packed(NOBODY)),
      },
      { name: 'the plan has ended', code: 501, prepare: (s) => s.world.setTime(END - START + 1n) },
      {
        name: 'the caller is not a puller',
        code: 130,
        alter: (ix, s) => withSigner(ix, CALLER, s.subscriber),
      },
      {
        name: 'the plan does not list the destination’s owner',
        code: 506,
        alter: async (ix, s) =>
          withAddress(ix, TO, await openTokenAccount(s.world, s.puller.address, s.mint)),
      },
      ...subscriptionVersions,
      { name: 'the subscription is too long', code: 111, prepare: (s) => s.world.cut(s.subscription, 156) },
      {
        name: 'the terms differ from the plan’s',
        code: 519,
        prepare: (s) => s.world.poke(s.subscription, AGREED_PRICE, packed(1n)),
      },
      {
        name: 'the plan is another plan',
        code: 505,
        alter: async (ix, s) => withAddress(ix, PLAN, await createTwinPlan(s)),
      },
      {
        name: 'the data names another subscriber',
        code: 130,
        alter: (ix, s) => withData(ix, DELEGATOR, packed(s.puller.address)),
      },
      {
        name: 'the cancellation takes effect in this second',
        code: 508,
        prepare: (s) => s.world.poke(s.subscription, EXPIRES_AT, packed(START)),
      },
      { name: 'the amount is zero', code: 129, alter: (ix) => withData(ix, AMOUNT, packed(0n)) },
      {
        name: 'the period has no length',
        code: 402,
        prepare: (s) => {
          s.world.poke(s.plan, PLAN_HOURS, packed(0n));
          s.world.poke(s.subscription, AGREED_HOURS, packed(0n));
        },
      },
      { name: 'the first period has not begun', code: 407, prepare: (s) => s.world.setTime(-1n) },
      {
        name: 'more was pulled than the price',
        code: 116,
        prepare: (s) => s.world.poke(s.subscription, PULLED, packed(PRICE + 1n)),
      },
      {
        name: 'the amount is more than the price',
        code: 400,
        alter: (ix) => withData(ix, AMOUNT, packed(PRICE + 1n)),
      },
      {
        name: 'the mint account is not the plan’s',
        code: 125,
        alter: async (ix, s) => withAddress(ix, MINT, (await createMint(s.world, 'token', 'other')).address),
      },
      {
        name: 'the authority belongs to another wallet',
        code: 126,
        alter: async (ix, s) => withAddress(ix, AUTHORITY, await createAuthorityOfOtherUser(s)),
      },
      {
        name: 'the authority was created later',
        code: 136,
        prepare: (s) => s.world.poke(s.authority, INIT_ID, packed(1n)),
      },
      {
        name: 'the source belongs to another wallet',
        code: 130,
        alter: (ix, s) => withAddress(ix, FROM, s.merchantTokens),
      },
      {
        name: 'the source has another mint',
        code: 125,
        alter: async (ix, s) => withAddress(ix, FROM, await openAccountOfOtherMint(s, s.subscriber)),
      },
      {
        name: 'the source is not the associated account',
        code: 108,
        alter: async (ix, s) => withAddress(ix, FROM, await createSideTokenAccount(s)),
      },
      {
        name: 'the destination has another mint',
        code: 125,
        alter: async (ix, s) => withAddress(ix, TO, await openAccountOfOtherMint(s, s.merchant)),
      },
      { name: 'the source is frozen', code: 17, prepare: freeze },
      { name: 'the balance is one token too small', code: 1, prepare: spendBelowPrice },
      {
        name: 'the approval was revoked',
        code: 4,
        prepare: (s) =>
          s.world.land([getRevokeInstruction({ source: s.subscriberTokens, owner: s.subscriber })]),
      },
      {
        name: 'another app was approved',
        code: 4,
        prepare: (s) =>
          s.world.land([
            getApproveInstruction({
              source: s.subscriberTokens,
              delegate: s.merchant.address,
              owner: s.subscriber,
              amount: 1n,
            }),
          ]),
      },
      {
        name: 'the approval is one token too small',
        code: 1,
        prepare: (s) => s.world.poke(s.subscriberTokens, 121, packed(PRICE - 1n)),
      },
      ...eventFaults(EVENTS),
    ],
  );

  it('accepts a puller only while the plan lists it', async () => {
    const s = await openScenario();
    await s.world.land([s.pull({ amount: 1n })]);
    await s.world.land([s.updatePlan({ pullers: [] })]);
    expect(await s.world.refusal([s.pull({ amount: 1n })])).toBe(130);
  });

  it('does not accept the zero address of an unused entry as a destination', async () => {
    const s = await openScenario();
    const to = await findTokenAccount(NOBODY, s.mint);
    await openTokenAccount(s.world, NOBODY, s.mint);
    expect(await s.world.refusal([s.pull({ to })])).toBe(506);
  });

  it('fails with 519 when the plan was deleted and created again with other terms', async () => {
    const s = await openScenario({ terms: { endTs: START + PERIOD } });
    s.world.setTime(PERIOD + 1n);
    await s.world.land([s.deletePlan()]);
    expect(await s.world.refusal([s.pull()])).toBe(516);
    await s.world.land([s.createPlan({ endTs: 0n })]);
    expect(await s.world.refusal([s.pull()])).toBe(519);
  });

  it('does not count a pull that the token program refuses', async () => {
    const s = await openScenario();
    const before = s.world.data(s.subscription);
    await freeze(s);
    expect(await s.world.refusal([s.pull()])).toBe(17);
    expect(s.world.data(s.subscription)).toEqual(before);
  });
});
