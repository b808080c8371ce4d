/** Refusals of 7 createPlan, 8 updatePlan and 9 deletePlan. */
import { describe } from 'vitest';
import {
  makeReadonly,
  withAddress,
  withData,
  withoutSignature,
  withReadonlyPayer,
  withSigner,
  withUnsignedPayer,
} from './altered-instruction.ts';
import { packed, padded } from './packed-bytes.ts';
import { testRefusals } from './refusals.ts';
import { createScenario, NOBODY, PERIOD, type PlanTerms, padAddresses, type Scenario } from './scenario.ts';
import {
  accountMissing,
  dataTooLong,
  dataTooShort,
  eventFaults,
  extraAccount,
  foreignAccount,
} from './shared-faults.ts';
import { createMint } from './tokens.ts';
import { person, START } from './world.ts';

const END = START + 10n * PERIOD;

async function publishPlan(terms: Partial<PlanTerms> = {}): Promise<Scenario> {
  const s = await createScenario({ terms });
  await s.world.land([s.createPlan()]);
  return s;
}

describe('createPlan', () => {
  const [MERCHANT, PLAN, MINT, SYSTEM, TOKEN] = [0, 1, 2, 3, 4];
  const [PLAN_ID, AMOUNT, PERIOD_HOURS, END_TS] = [0, 40, 48, 64];
  testRefusals(createScenario, (s) => s.createPlan(), [
    dataTooShort,
    dataTooLong,
    { name: 'the amount is zero', code: 129, alter: (ix) => withData(ix, AMOUNT, packed(0n)) },
    { name: 'the period is zero hours', code: 402, alter: (ix) => withData(ix, PERIOD_HOURS, packed(0n)) },
    {
      name: 'the period is longer than a year',
      code: 402,
      alter: (ix) => withData(ix, PERIOD_HOURS, packed(8761n)),
    },
    {
      name: 'the end is less than a period away',
      code: 511,
      alter: (ix) => withData(ix, END_TS, packed(START + PERIOD - 1n)),
    },
    accountMissing,
    { name: 'the merchant did not sign', code: 100, alter: (ix) => withoutSignature(ix, MERCHANT) },
    { name: 'the merchant is not writable', code: 131, alter: (ix) => makeReadonly(ix, MERCHANT) },
    { name: 'the plan is not writable', code: 131, alter: (ix) => makeReadonly(ix, PLAN) },
    { name: 'the mint is not a mint', code: 109, alter: (ix, s) => withAddress(ix, MINT, s.merchantTokens) },
    { name: 'the token program is not the mint’s', code: 105, alter: (ix) => withAddress(ix, TOKEN, NOBODY) },
    {
      name: 'the system program is another program',
      code: 104,
      alter: (ix, s) => withAddress(ix, SYSTEM, s.mint.tokenProgram),
    },
    { name: 'the payer did not sign', code: 100, alter: (ix, s) => withUnsignedPayer(ix, s.puller) },
    { name: 'the payer is not writable', code: 131, alter: (ix, s) => withReadonlyPayer(ix, s.puller) },
    {
      name: 'the mint is not the one in the data',
      code: 125,
      alter: async (ix, s) => withAddress(ix, MINT, (await createMint(s.world, 'token', 'other')).address),
    },
    { name: 'the plan already exists', code: 518, prepare: (s) => s.world.land([s.createPlan()]) },
    { name: 'the plan has another id', code: 502, alter: (ix) => withData(ix, PLAN_ID, packed(8n)) },
    {
      name: 'the plan is at another address',
      code: 502,
      alter: (ix, s) => withAddress(ix, PLAN, s.subscription),
    },
  ]);
});

const [OWNER, PLAN, EVENT_AUTHORITY] = [0, 1, 2];
const [STATUS, END_TS, PULLERS, METADATA_URI] = [0, 1, 9, 137];
const [SEEN_CREATED_AT, SEEN_END_TS, SEEN_PULLERS, SEEN_METADATA_URI] = [265, 273, 281, 409];
const update = (s: Scenario) => s.updatePlan({});

describe('updatePlan', () => {
  testRefusals(() => publishPlan({ endTs: END }), update, [
    dataTooShort,
    dataTooLong,
    accountMissing,
    extraAccount,
    { name: 'the owner did not sign', code: 100, alter: (ix) => withoutSignature(ix, OWNER) },
    { name: 'the plan is not writable', code: 131, alter: (ix) => makeReadonly(ix, PLAN) },
    foreignAccount('plan', PLAN),
    { name: 'the plan is too short', code: 111, prepare: (s) => s.world.cut(s.plan, 490) },
    { name: 'the account is of another kind', code: 117, prepare: (s) => s.world.poke(s.plan, 0, [4]) },
    { name: 'another wallet signs', code: 504, alter: (ix, s) => withSigner(ix, OWNER, s.subscriber) },
    {
      name: 'the owner expects an earlier plan',
      code: 522,
      alter: (ix) => withData(ix, SEEN_CREATED_AT, packed(START - 1n)),
    },
    {
      name: 'the owner expects another end',
      code: 522,
      alter: (ix) => withData(ix, SEEN_END_TS, packed(END + 1n)),
    },
    {
      name: 'the owner expects a puller that the plan does not have',
      code: 522,
      alter: (ix, s) => withData(ix, SEEN_PULLERS + 96, packed(s.puller.address)),
    },
    {
      name: 'the owner expects metadata with another last byte',
      code: 522,
      alter: (ix) => withData(ix, SEEN_METADATA_URI + 127, packed(1)),
    },
    {
      name: 'the update phases the plan out and removes the end',
      code: 514,
      alter: (ix) => withData(ix, STATUS, packed(0, 0n)),
    },
    { name: 'the status is unknown', code: 512, alter: (ix) => withData(ix, STATUS, packed(2)) },
    { name: 'the plan has ended', code: 501, prepare: (s) => s.world.setTime(END - START + 1n) },
    { name: 'the end is postponed', code: 520, alter: (ix) => withData(ix, END_TS, packed(END + 1n)) },
    { name: 'the end is removed', code: 520, alter: (ix) => withData(ix, END_TS, packed(0n)) },
    {
      name: 'the new end is less than a period away',
      code: 511,
      alter: (ix) => withData(ix, END_TS, packed(START + PERIOD - 1n)),
    },
    ...eventFaults(EVENT_AUTHORITY),
  ]);
});

describe('updatePlan of a plan that has no end', () => {
  testRefusals(publishPlan, update, [
    {
      name: 'the update phases the plan out without an end',
      code: 514,
      alter: (ix) => withData(ix, STATUS, packed(0, 0n)),
    },
    {
      name: 'the update sets an end that is less than a period away',
      code: 511,
      alter: (ix) => withData(ix, END_TS, packed(START + PERIOD - 1n)),
    },
  ]);
});

describe('updatePlan of a plan that is phased out', () => {
  const publishSunsetPlan = async () => {
    const s = await publishPlan();
    await s.world.land([s.updatePlan({ status: 0, endTs: END })]);
    return s;
  };
  testRefusals(publishSunsetPlan, update, [
    {
      name: 'the owner expects another end',
      code: 522,
      alter: (ix) => withData(ix, SEEN_END_TS, packed(END - 1n)),
    },
    {
      name: 'the update makes the plan active again',
      code: 513,
      alter: (ix) => withData(ix, STATUS, packed(1)),
    },
    { name: 'the update changes the end', code: 513, alter: (ix) => withData(ix, END_TS, packed(END - 1n)) },
    {
      name: 'the update changes the metadata',
      code: 513,
      alter: (ix) => withData(ix, METADATA_URI, padded('x', 128)),
    },
    {
      name: 'the update adds a puller',
      code: 513,
      alter: async (ix, s) =>
        withData(ix, PULLERS, packed(...padAddresses([s.puller.address, (await person('new')).address]))),
    },
  ]);
});

describe('deletePlan', () => {
  const publishEndedPlan = async () => {
    const s = await publishPlan({ endTs: END });
    s.world.setTime(END - START + 1n);
    return s;
  };
  testRefusals(publishEndedPlan, (s) => s.deletePlan(), [
    accountMissing,
    extraAccount,
    { name: 'the owner did not sign', code: 100, alter: (ix) => withoutSignature(ix, OWNER) },
    { name: 'the owner is not writable', code: 131, alter: (ix) => makeReadonly(ix, OWNER) },
    { name: 'the plan is not writable', code: 131, alter: (ix) => makeReadonly(ix, PLAN) },
    foreignAccount('plan', PLAN),
    { name: 'the plan is too long', code: 111, prepare: (s) => s.world.cut(s.plan, 492) },
    { name: 'the account is of another kind', code: 117, prepare: (s) => s.world.poke(s.plan, 0, [0]) },
    { name: 'another wallet signs', code: 504, alter: (ix, s) => withSigner(ix, OWNER, s.subscriber) },
    { name: 'the plan is in its last second', code: 515, prepare: (s) => s.world.setTime(END - START) },
    { name: 'the plan has no end', code: 515, prepare: (s) => s.world.poke(s.plan, 99, packed(0n)) },
  ]);
});
