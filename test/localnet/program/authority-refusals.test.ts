/**
 * Refusals of 0 initSubscriptionAuthority, 6 closeSubscriptionAuthority and 14
 * revokeSubscriptionAuthority.
 */
import { describe } from 'vitest';
import {
  makeReadonly,
  withAddress,
  withoutLastAccount,
  withoutSignature,
  withReadonlyPayer,
  withUnsignedPayer,
} from './altered-instruction.ts';
import { type Fault, testRefusals } from './refusals.ts';
import { createScenario, NOBODY, openScenario, type Scenario } from './scenario.ts';
import { createSideTokenAccount } from './shared-faults.ts';
import { createMint, openTokenAccount, TOKEN_2022_PROGRAM_ADDRESS } from './tokens.ts';
import { person } from './world.ts';

const otherMint = ({ world }: Scenario) => createMint(world, 'token', 'other');

/** An account of the token program with data that this program would never write. */
async function oddAccount(s: Scenario, data: Uint8Array) {
  const { address } = await person('odd account');
  s.world.tamper(address, { data, programAddress: s.mint.tokenProgram });
  return address;
}

describe('initSubscriptionAuthority', () => {
  const [USER, AUTHORITY, MINT, ACCOUNT, SYSTEM, TOKEN] = [0, 1, 2, 3, 4, 5];
  const call = (s: Scenario) => s.initAuthority();

  testRefusals(createScenario, call, [
    { name: 'an account is missing', code: 113, alter: withoutLastAccount },
    { name: 'the user did not sign', code: 100, alter: (ix) => withoutSignature(ix, USER) },
    { name: 'the user is not writable', code: 131, alter: (ix) => makeReadonly(ix, USER) },
    { name: 'the authority is not writable', code: 131, alter: (ix) => makeReadonly(ix, AUTHORITY) },
    { name: 'the token account is not writable', code: 131, alter: (ix) => makeReadonly(ix, ACCOUNT) },
    {
      name: 'the mint belongs to no token program',
      code: 109,
      alter: (ix, s) => withAddress(ix, MINT, s.merchant.address),
    },
    {
      name: 'the mint is a token account',
      code: 109,
      alter: (ix, s) => withAddress(ix, MINT, s.merchantTokens),
    },
    {
      name: 'the mint is not initialised',
      code: 109,
      alter: async (ix, s) => withAddress(ix, MINT, await oddAccount(s, new Uint8Array(82))),
    },
    {
      name: 'the token program is not the mint’s',
      code: 105,
      alter: (ix) => withAddress(ix, TOKEN, TOKEN_2022_PROGRAM_ADDRESS),
    },
    {
      name: 'the token account belongs to no token program',
      code: 110,
      alter: (ix, s) => withAddress(ix, ACCOUNT, s.merchant.address),
    },
    {
      name: 'the token account has the length of a mint',
      code: 110,
      alter: async (ix, s) => withAddress(ix, ACCOUNT, (await otherMint(s)).address),
    },
    {
      name: 'the system program is another program',
      code: 104,
      alter: (ix, s) => withAddress(ix, SYSTEM, s.mint.tokenProgram),
    },
    { name: 'the payer did not sign', code: 100, alter: (ix, s) => withUnsignedPayer(ix, s.puller) },
    { name: 'the payer is not writable', code: 131, alter: (ix, s) => withReadonlyPayer(ix, s.puller) },
    {
      name: 'the authority is at another address',
      code: 103,
      alter: (ix, s) => withAddress(ix, AUTHORITY, s.plan),
    },
    {
      name: 'the token account belongs to another wallet',
      code: 130,
      alter: (ix, s) => withAddress(ix, ACCOUNT, s.merchantTokens),
    },
    {
      name: 'the token account has another mint',
      code: 125,
      alter: async (ix, s) =>
        withAddress(ix, ACCOUNT, await openTokenAccount(s.world, s.subscriber.address, await otherMint(s))),
    },
    {
      name: 'the token account is not the associated one',
      code: 108,
      alter: async (ix, s) => withAddress(ix, ACCOUNT, await createSideTokenAccount(s)),
    },
  ]);

  describe('with a Token-2022 mint', () => {
    const mintBytes = (length: number, type = 0) => {
      const data = new Uint8Array(length).fill(1, 45, 46);
      if (length > 165) data[165] = type;
      return data;
    };
    const mints: [string, Uint8Array][] = [
      ['is too short', mintBytes(81)],
      ['is not initialised', new Uint8Array(82)],
      ['has a length between a plain and an extended one', mintBytes(165)],
      ['is marked as a token account', mintBytes(202, 2)],
    ];
    const accounts: [string, Uint8Array][] = [
      ['is empty', new Uint8Array()],
      ['is too short', new Uint8Array(164)],
      ['is marked as a mint', mintBytes(170, 1)],
    ];
    const faultAt =
      (index: number, code: number) =>
      ([what, data]: [string, Uint8Array]): Fault => ({
        name: `the ${index === MINT ? 'mint' : 'token account'} ${what}`,
        code,
        alter: async (ix, s) => withAddress(ix, index, await oddAccount(s, data)),
      });
    testRefusals(() => createScenario({ kind: 'token-2022' }), call, [
      ...mints.map(faultAt(MINT, 106)),
      ...accounts.map(faultAt(ACCOUNT, 107)),
      {
        name: 'the token account belongs to the other token program',
        code: 105,
        alter: async (ix, s) =>
          withAddress(ix, ACCOUNT, await openTokenAccount(s.world, s.subscriber.address, await otherMint(s))),
      },
    ]);
  });
});

describe('closeSubscriptionAuthority', () => {
  const [USER, AUTHORITY] = [0, 1];
  testRefusals(openScenario, (s) => s.closeAuthority(), [
    { name: 'the authority is missing', code: 113, alter: withoutLastAccount },
    { name: 'the user did not sign', code: 100, alter: (ix) => withoutSignature(ix, USER) },
    { name: 'the user is not writable', code: 131, alter: (ix) => makeReadonly(ix, USER) },
    { name: 'the authority is not writable', code: 131, alter: (ix) => makeReadonly(ix, AUTHORITY) },
    {
      name: 'the account belongs to another program',
      code: 'InvalidAccountOwner',
      alter: (ix, s) => withAddress(ix, AUTHORITY, s.subscriberTokens),
    },
    { name: 'the account is a plan', code: 111, alter: (ix, s) => withAddress(ix, AUTHORITY, s.plan) },
    { name: 'the account is of another kind', code: 117, prepare: (s) => s.world.poke(s.authority, 0, [1]) },
    {
      name: 'the data of the authority names another user',
      code: 130,
      prepare: (s) => s.world.poke(s.authority, 1, [7]),
    },
    {
      name: 'the authority belongs to another user',
      code: 130,
      alter: async (ix, s) => {
        const other = await openScenario({ world: s.world, mint: s.mint, subscriber: 'other' });
        return withAddress(ix, AUTHORITY, other.authority);
      },
    },
    {
      name: 'the data of the authority does not lead to its address',
      code: 103,
      prepare: (s) => s.world.poke(s.authority, 33, [7]),
    },
  ]);
});

describe('revokeSubscriptionAuthority', () => {
  const [USER, ACCOUNT, MINT, TOKEN, AUTHORITY] = [0, 1, 2, 3, 4];
  testRefusals(openScenario, (s) => s.revokeAuthority(), [
    { name: 'the authority is missing', code: 113, alter: withoutLastAccount },
    { name: 'the user did not sign', code: 100, alter: (ix) => withoutSignature(ix, USER) },
    { name: 'the user is not writable', code: 131, alter: (ix) => makeReadonly(ix, USER) },
    { name: 'the token account is not writable', code: 131, alter: (ix) => makeReadonly(ix, ACCOUNT) },
    {
      name: 'the token program is another account',
      code: 105,
      alter: (ix) => withAddress(ix, TOKEN, NOBODY),
    },
    {
      name: 'the mint is a token account',
      code: 109,
      alter: (ix, s) => withAddress(ix, MINT, s.merchantTokens),
    },
    {
      name: 'the token account is a mint',
      code: 110,
      alter: (ix, s) => withAddress(ix, ACCOUNT, s.mint.address),
    },
    { name: 'the authority is not writable', code: 131, alter: (ix) => makeReadonly(ix, AUTHORITY) },
    {
      name: 'the token account belongs to another wallet',
      code: 130,
      alter: (ix, s) => withAddress(ix, ACCOUNT, s.merchantTokens),
    },
    {
      name: 'the mint is another mint',
      code: 125,
      alter: async (ix, s) => withAddress(ix, MINT, (await otherMint(s)).address),
    },
    {
      name: 'the token account is not the associated one',
      code: 108,
      alter: async (ix, s) => withAddress(ix, ACCOUNT, await createSideTokenAccount(s)),
    },
    {
      name: 'the authority is another account',
      code: 103,
      alter: (ix, s) => withAddress(ix, AUTHORITY, s.plan),
    },
  ]);
});
