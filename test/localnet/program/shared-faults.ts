/** Faults that several instructions share. */
import type { Address } from '@solana/kit';
import { withAddress, withDataLength, withExtraAccount, withoutLastAccount } from './altered-instruction.ts';
import type { Fault } from './refusals.ts';
import { createScenario, openScenario, type Scenario } from './scenario.ts';
import { createMint } from './tokens.ts';
import { person } from './world.ts';

export const dataTooShort: Fault = {
  name: 'the data is too short',
  code: 112,
  alter: (ix) => withDataLength(ix, -1),
};
export const dataTooLong: Fault = {
  name: 'the data is too long',
  code: 112,
  alter: (ix) => withDataLength(ix, 1),
};
export const accountMissing: Fault = { name: 'an account is missing', code: 113, alter: withoutLastAccount };
export const extraAccount: Fault = {
  name: 'there is one account too many',
  code: 113,
  alter: (ix, s) => withExtraAccount(ix, s.plan),
};

/** Replaces the account with one that the program does not own. */
export function foreignAccount(name: string, index: number): Fault {
  return {
    name: `the ${name} belongs to another program`,
    code: 'InvalidAccountOwner',
    alter: (ix, s) => withAddress(ix, index, s.merchantTokens),
  };
}

/** Headers of a subscription that another version of the program might write. */
export const subscriptionVersions: Fault[] = [
  { name: 'the subscription has no version', code: 111, prepare: (s) => s.world.cut(s.subscription, 1) },
  { name: 'the account is of another kind', code: 117, prepare: (s) => s.world.poke(s.subscription, 0, [1]) },
  {
    name: 'the subscription is of a later version',
    code: 133,
    prepare: (s) => s.world.poke(s.subscription, 1, [2]),
  },
  {
    name: 'the subscription is of an earlier version',
    code: 134,
    prepare: (s) => s.world.poke(s.subscription, 1, [0]),
  },
  { name: 'the subscription is too short', code: 111, prepare: (s) => s.world.cut(s.subscription, 154) },
];

/** Faults in the two accounts through which the event is emitted last. */
export function eventFaults(eventAuthority: number): Fault[] {
  return [
    {
      name: 'the event authority is another account',
      code: 600,
      alter: (ix, s) => withAddress(ix, eventAuthority, s.merchant.address),
    },
    {
      name: 'the program for the event is another program',
      code: 604,
      alter: (ix, s) => withAddress(ix, eventAuthority + 1, s.mint.tokenProgram),
    },
  ];
}

/** Creates another plan of the merchant with the same terms in the same second. */
export async function createTwinPlan(s: Scenario): Promise<Address> {
  const terms = { ...s.terms, planId: s.terms.planId + 1n };
  const twin = await createScenario({ world: s.world, mint: s.mint, terms });
  await s.world.land([twin.createPlan()]);
  return twin.plan;
}

/** Creates an authority for the plan's mint, but of another user. */
export async function createAuthorityOfOtherUser(s: Scenario): Promise<Address> {
  return (await openScenario({ world: s.world, mint: s.mint, terms: s.terms, subscriber: 'other' }))
    .authority;
}

/** Creates an authority of the subscriber, but for another mint. */
export async function createAuthorityOfOtherMint(s: Scenario): Promise<Address> {
  const mint = await createMint(s.world, 'token', 'other');
  const other = await createScenario({ world: s.world, mint });
  await s.world.land([await other.initAuthority()]);
  return other.authority;
}

/** Creates a token account of the subscriber and the mint that is not the associated one. */
export async function createSideTokenAccount(s: Scenario): Promise<Address> {
  const { address } = await person('side account');
  s.world.tamper(address, s.world.svm.getAccount(s.subscriberTokens) as { data: Uint8Array });
  return address;
}
