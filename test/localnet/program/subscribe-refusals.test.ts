/** Refusals of 11 subscribe. */
import { describe } from 'vitest';
import {
  makeReadonly,
  withAddress,
  withData,
  withoutSignature,
  withReadonlyPayer,
  withUnsignedPayer,
} from './altered-instruction.ts';
import { packed } from './packed-bytes.ts';
import { testRefusals } from './refusals.ts';
import { createScenario, NOBODY, PERIOD, type Scenario } from './scenario.ts';
import {
  accountMissing,
  createAuthorityOfOtherMint,
  createAuthorityOfOtherUser,
  dataTooLong,
  dataTooShort,
  eventFaults,
  foreignAccount,
} from './shared-faults.ts';
import { FIRST_SLOT, START } from './world.ts';

const END = START + 10n * PERIOD;
const withEnd = { terms: { endTs: END } };
const travelPastEnd = (s: Scenario) => s.world.setTime(END - START + 1n);

const CREATED_IN_THIS_SLOT = -(2n ** 63n);

describe('subscribe', () => {
  const [SUBSCRIBER, MERCHANT, PLAN, SUBSCRIPTION, AUTHORITY, SYSTEM, EVENTS] = [0, 1, 2, 3, 4, 5, 6];
  const [BUMP, MINT, AMOUNT, HOURS, CREATED_AT, EXPECTED_INIT_ID] = [8, 9, 41, 49, 57, 65];
  const createReadyScenario = async () => {
    const s = await createScenario(withEnd);
    await s.world.land([s.createPlan(), await s.initAuthority()]);
    return s;
  };
  testRefusals(createReadyScenario, (s) => s.subscribe(), [
    dataTooShort,
    dataTooLong,
    accountMissing,
    { name: 'the subscriber did not sign', code: 100, alter: (ix) => withoutSignature(ix, SUBSCRIBER) },
    { name: 'the subscriber is not writable', code: 131, alter: (ix) => makeReadonly(ix, SUBSCRIBER) },
    foreignAccount('plan', PLAN),
    { name: 'the subscription is not writable', code: 131, alter: (ix) => makeReadonly(ix, SUBSCRIPTION) },
    { name: 'there is no authority', code: 103, alter: (ix) => withAddress(ix, AUTHORITY, NOBODY) },
    { name: 'the authority is a plan', code: 111, alter: (ix, s) => withAddress(ix, AUTHORITY, s.plan) },
    {
      name: 'the authority is of another kind',
      code: 117,
      prepare: (s) => s.world.poke(s.authority, 0, [1]),
    },
    {
      name: 'the system program is another program',
      code: 104,
      alter: (ix, s) => withAddress(ix, SYSTEM, s.mint.tokenProgram),
    },
    { name: 'the payer did not sign', code: 100, alter: (ix, s) => withUnsignedPayer(ix, s.puller) },
    { name: 'the payer is not writable', code: 131, alter: (ix, s) => withReadonlyPayer(ix, s.puller) },
    {
      name: 'the merchant is another account',
      code: 502,
      alter: (ix, s) => withAddress(ix, MERCHANT, s.mint.address),
    },
    { name: 'the bump of the plan is wrong', code: 502, alter: (ix) => withData(ix, BUMP, packed(0)) },
    { name: 'the plan is too short', code: 111, prepare: (s) => s.world.cut(s.plan, 490) },
    { name: 'the plan is of another kind', code: 117, prepare: (s) => s.world.poke(s.plan, 0, [0]) },
    { name: 'the plan has an unknown status', code: 111, prepare: (s) => s.world.poke(s.plan, 34, [2]) },
    { name: 'the plan is phased out', code: 500, prepare: (s) => s.world.poke(s.plan, 34, [0]) },
    { name: 'the plan has ended', code: 501, prepare: travelPastEnd },
    {
      name: 'the subscriber agreed to another mint',
      code: 519,
      alter: (ix) => withData(ix, MINT, packed(NOBODY)),
    },
    {
      name: 'the subscriber agreed to another price',
      code: 519,
      alter: (ix) => withData(ix, AMOUNT, packed(1n)),
    },
    {
      name: 'the subscriber agreed to another period',
      code: 519,
      alter: (ix) => withData(ix, HOURS, packed(1n)),
    },
    {
      name: 'the subscriber agreed to an earlier plan',
      code: 519,
      alter: (ix) => withData(ix, CREATED_AT, packed(1n)),
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
      alter: (ix) => withData(ix, EXPECTED_INIT_ID, packed(FIRST_SLOT - 1n)),
    },
    {
      name: 'the authority was not created in this slot',
      code: 136,
      prepare: (s) => s.world.setTime(0n, FIRST_SLOT + 1n),
      alter: (ix) => withData(ix, EXPECTED_INIT_ID, packed(CREATED_IN_THIS_SLOT)),
    },
    {
      name: 'the subscription is at another address',
      code: 503,
      alter: (ix, s) => withAddress(ix, SUBSCRIPTION, s.merchantTokens),
    },
    {
      name: 'the subscription already exists',
      code: 517,
      prepare: async (s) => s.world.land([await s.subscribe()]),
    },
    ...eventFaults(EVENTS),
  ]);
});
