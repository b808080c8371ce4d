/**
 * Refusals of 12 cancelSubscription, 17 cancelSubscriptionNow, 13 resumeSubscription and 3
 * revokeDelegation.
 */
import { describe } from 'vitest';
import {
  makeReadonly,
  withAddress,
  withData,
  withoutLastAccount,
  withoutSignature,
  withSigner,
} from './altered-instruction.ts';
import { packed } from './packed-bytes.ts';
import { testRefusals } from './refusals.ts';
import { NOBODY, openScenario, PERIOD, type Scenario } from './scenario.ts';
import {
  accountMissing,
  createAuthorityOfOtherMint,
  createAuthorityOfOtherUser,
  createTwinPlan,
  dataTooLong,
  dataTooShort,
  eventFaults,
  extraAccount,
  foreignAccount,
  subscriptionVersions,
} from './shared-faults.ts';
import { person, START } from './world.ts';

const END = START + 10n * PERIOD;
const withEnd = { terms: { endTs: END } };
const travelPastEnd = (s: Scenario) => s.world.setTime(END - START + 1n);

/** Offsets of fields in their accounts. */
const PLAN_AMOUNT = 75;
const EXPIRES_AT = 147;
const INIT_ID = 98;

describe('cancelSubscription', () => {
  const [SUBSCRIBER, PLAN, SUBSCRIPTION, EVENTS] = [0, 1, 2, 3];
  testRefusals(openScenario, (s) => s.cancel(), [
    accountMissing,
    extraAccount,
    { name: 'the subscriber did not sign', code: 100, alter: (ix) => withoutSignature(ix, SUBSCRIBER) },
    foreignAccount('subscription', SUBSCRIPTION),
    { name: 'the subscription is not writable', code: 131, alter: (ix) => makeReadonly(ix, SUBSCRIPTION) },
    ...subscriptionVersions,
    { name: 'another wallet signs', code: 130, alter: (ix, s) => withSigner(ix, SUBSCRIBER, s.merchant) },
    {
      name: 'the subscription is already cancelled',
      code: 509,
      prepare: async (s) => s.world.land([await s.cancel()]),
    },
    {
      name: 'the plan is another plan',
      code: 505,
      alter: async (ix, s) => withAddress(ix, PLAN, await createTwinPlan(s)),
    },
    { name: 'the plan is too short', code: 111, prepare: (s) => s.world.cut(s.plan, 490) },
    { name: 'the plan is of another kind', code: 117, prepare: (s) => s.world.poke(s.plan, 0, [0]) },
    ...eventFaults(EVENTS),
  ]);
});

describe('cancelSubscriptionNow', () => {
  const [SUBSCRIBER, MERCHANT, PLAN, SUBSCRIPTION, EVENTS] = [0, 1, 2, 3, 4];
  testRefusals(openScenario, (s) => s.cancelNow(), [
    dataTooShort,
    dataTooLong,
    accountMissing,
    extraAccount,
    { name: 'the subscriber did not sign', code: 100, alter: (ix) => withoutSignature(ix, SUBSCRIBER) },
    { name: 'the merchant did not sign', code: 100, alter: (ix) => withoutSignature(ix, MERCHANT) },
    foreignAccount('plan', PLAN),
    foreignAccount('subscription', SUBSCRIPTION),
    { name: 'the subscription is not writable', code: 131, alter: (ix) => makeReadonly(ix, SUBSCRIPTION) },
    { name: 'the plan is too short', code: 111, prepare: (s) => s.world.cut(s.plan, 490) },
    { name: 'the plan is of another kind', code: 117, prepare: (s) => s.world.poke(s.plan, 0, [0]) },
    {
      name: 'a puller signs for the merchant',
      code: 504,
      alter: (ix, s) => withSigner(ix, MERCHANT, s.puller),
    },
    ...subscriptionVersions,
    { name: 'another wallet signs', code: 130, alter: (ix, s) => withSigner(ix, SUBSCRIBER, s.puller) },
    {
      name: 'the plan is another plan',
      code: 505,
      alter: async (ix, s) => withAddress(ix, PLAN, await createTwinPlan(s)),
    },
    { name: 'the data names another period', code: 521, alter: (ix) => withData(ix, 0, packed(START - 1n)) },
    { name: 'the subscription has already ended', code: 509, prepare: (s) => s.world.land([s.cancelNow()]) },
    ...eventFaults(EVENTS),
  ]);
});

describe('resumeSubscription', () => {
  const [SUBSCRIBER, PLAN, SUBSCRIPTION, AUTHORITY, EVENTS] = [0, 1, 2, 3, 4];
  const openCancelled = async () => {
    const s = await openScenario(withEnd);
    await s.world.land([await s.cancel()]);
    return s;
  };
  testRefusals(openCancelled, (s) => s.resume(), [
    dataTooShort,
    dataTooLong,
    accountMissing,
    extraAccount,
    { name: 'the subscriber did not sign', code: 100, alter: (ix) => withoutSignature(ix, SUBSCRIBER) },
    foreignAccount('subscription', SUBSCRIPTION),
    { name: 'the subscription is not writable', code: 131, alter: (ix) => makeReadonly(ix, SUBSCRIPTION) },
    { name: 'there is no authority', code: 103, alter: (ix) => withAddress(ix, AUTHORITY, NOBODY) },
    { name: 'the authority is a plan', code: 111, alter: (ix, s) => withAddress(ix, AUTHORITY, s.plan) },
    ...subscriptionVersions.slice(1),
    { name: 'another wallet signs', code: 130, alter: (ix, s) => withSigner(ix, SUBSCRIBER, s.merchant) },
    {
      name: 'the plan is another plan',
      code: 505,
      alter: async (ix, s) => withAddress(ix, PLAN, await createTwinPlan(s)),
    },
    {
      name: 'the subscription is not cancelled',
      code: 510,
      prepare: (s) => s.world.poke(s.subscription, EXPIRES_AT, packed(0n)),
    },
    { name: 'the data names another cancellation', code: 521, alter: (ix) => withData(ix, 0, packed(START)) },
    {
      name: 'the plan is closed',
      code: 516,
      prepare: (s) => s.world.tamper(s.plan, { programAddress: NOBODY }),
    },
    { name: 'the plan is too short', code: 111, prepare: (s) => s.world.cut(s.plan, 490) },
    { name: 'the plan is of another kind', code: 117, prepare: (s) => s.world.poke(s.plan, 0, [0]) },
    { name: 'the plan has ended', code: 501, prepare: travelPastEnd },
    {
      name: 'the terms differ from the plan’s',
      code: 519,
      prepare: (s) => s.world.poke(s.plan, PLAN_AMOUNT, packed(1n)),
    },
    {
      name: 'the authority belongs to another wallet',
      code: 130,
      alter: async (ix, s) => withAddress(ix, AUTHORITY, await createAuthorityOfOtherUser(s)),
    },
    {
      name: 'the authority is for another mint',
      code: 125,
      alter: async (ix, s) => withAddress(ix, AUTHORITY, await createAuthorityOfOtherMint(s)),
    },
    {
      name: 'the authority was created later',
      code: 136,
      prepare: (s) => s.world.poke(s.authority, INIT_ID, packed(1n)),
    },
    { name: 'the cancellation has taken effect', code: 508, prepare: (s) => s.world.setTime(PERIOD) },
    ...eventFaults(EVENTS),
  ]);
});

describe('revokeDelegation', () => {
  const [ACTOR, SUBSCRIPTION, PLAN] = [0, 1, 2];
  const openExpired = async () => {
    const s = await openScenario();
    await s.world.land([await s.cancel()]);
    s.world.setTime(PERIOD);
    return s;
  };
  testRefusals(openExpired, (s) => s.revoke(), [
    {
      name: 'the subscription is missing',
      code: 113,
      alter: (ix) => withoutLastAccount(withoutLastAccount(ix)),
    },
    { name: 'the subscriber did not sign', code: 100, alter: (ix) => withoutSignature(ix, ACTOR) },
    { name: 'the subscriber is not writable', code: 131, alter: (ix) => makeReadonly(ix, ACTOR) },
    { name: 'the subscription is not writable', code: 131, alter: (ix) => makeReadonly(ix, SUBSCRIPTION) },
    foreignAccount('subscription', SUBSCRIPTION),
    { name: 'the account has no header', code: 127, prepare: (s) => s.world.cut(s.subscription, 106) },
    {
      name: 'the account is of another kind',
      code: 117,
      prepare: (s) => s.world.poke(s.subscription, 0, [1]),
    },
    {
      name: 'the account is of an unknown kind',
      code: 117,
      prepare: (s) => s.world.poke(s.subscription, 0, [5]),
    },
    { name: 'the subscription is too short', code: 111, prepare: (s) => s.world.cut(s.subscription, 154) },
    { name: 'the plan is missing', code: 113, alter: withoutLastAccount },
    {
      name: 'the plan is another plan',
      code: 505,
      alter: (ix, s) => withAddress(ix, PLAN, s.merchantTokens),
    },
    {
      name: 'another wallet signs',
      code: 130,
      alter: async (ix, s) => {
        const stranger = await person('stranger');
        s.world.fund(stranger.address);
        return withSigner(ix, ACTOR, stranger);
      },
    },
    {
      name: 'the subscription is not cancelled',
      code: 510,
      prepare: (s) => s.world.poke(s.subscription, EXPIRES_AT, packed(0n)),
    },
    {
      name: 'the cancellation has not taken effect',
      code: 510,
      prepare: (s) => s.world.setTime(PERIOD - 1n),
    },
  ]);
});
