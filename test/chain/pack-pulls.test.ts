import { type Address, generateKeyPairSigner, getAddressDecoder } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packPulls, pullsThatFit } from '../../src/chain/pack-pulls.ts';
import { PackWeight } from '../../src/chain/pack-weight.ts';
import type { PullVersion } from '../../src/chain/pull-message.ts';
import { signPulls } from '../../src/chain/pull-transactions.ts';
import type { Pull } from '../../src/chain/pulls.ts';
import { USDC } from './world.ts';

const collector = await generateKeyPairSigner();
const blockhash = { blockhash: USDC as never, lastValidBlockHeight: 0n };

/** The same number is the same address. */
function addressOf(kind: number, number: number): Address {
  return getAddressDecoder().decode(
    Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? kind : number + 1)),
  );
}

function pullOf({
  plan,
  payer,
  receiver,
  missing,
}: Record<'plan' | 'payer' | 'receiver', number> & { missing: boolean }): Pull {
  return {
    subscription: addressOf(1, payer),
    payer: addressOf(2, payer),
    payerTokenAccount: addressOf(3, payer),
    authority: addressOf(4, payer),
    plan: addressOf(5, plan),
    receiver: addressOf(6, receiver),
    receiverTokenAccount: addressOf(7, receiver),
    receiverIsMissing: missing,
    mint: USDC,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    amount: 1n,
  };
}

const anyPulls = fc
  .array(fc.record({ plan: fc.nat(3), receiver: fc.nat(3), missing: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((shapes) => {
    // A receiver's account is there or it is not.
    const missing = new Map(shapes.map(({ receiver, missing }) => [receiver, missing]));
    return shapes.map(({ plan, receiver }, payer) =>
      pullOf({ plan, payer, receiver, missing: missing.get(receiver) ?? false }),
    );
  });
const anyVersion = fc.constantFrom<PullVersion>(1, 0, 'legacy');

test('what a transaction weighs is known before it is built', async () => {
  await fc.assert(
    fc.asyncProperty(anyPulls, anyVersion, async (pulls, version) => {
      const fit = pulls.slice(0, pullsThatFit(pulls, { collector, version, most: 19 }));
      const weight = new PackWeight(collector.address, version);
      for (const pull of fit) weight.add(pull);
      const terms = { blockhash, version, computeUnits: 200_000, price: 1n };
      const { wire } = await signPulls({ collector }, fit, terms);
      // An older message has no byte for lookup tables.
      expect(weight.bytes - wire.length).toBe(version === 'legacy' ? 2 : 0);
      expect(wire.length).toBeLessThanOrEqual(version === 1 ? 4_096 : 1_232);
    }),
    { numRuns: 60 },
  );
});

test('packing loses none, doubles none, and keeps to what fits and to what is wanted', () => {
  fc.assert(
    fc.property(anyPulls, anyVersion, fc.integer({ min: 1, max: 19 }), (pulls, version, most) => {
      const items = pulls.map((pull) => ({ pull }));
      const packing = { collector, version, most };
      const packs = packPulls(items, packing);
      expect(new Set(packs.flat())).toEqual(new Set(items));
      expect(packs.flat()).toHaveLength(items.length);
      for (const pack of packs) {
        expect(pack.length).toBeLessThanOrEqual(most);
        const together = pack.map(({ pull }) => pull);
        expect(pullsThatFit(together, packing)).toBe(pack.length);
      }
    }),
  );
});

test.each([
  { version: 1, transactions: 10 },
  { version: 0, transactions: 48 },
  { version: 'legacy', transactions: 48 },
] as const)(
  '190 pulls of one plan take $transactions transactions of version $version',
  ({ version, transactions }) => {
    const items = Array.from({ length: 190 }, (_, payer) => ({
      pull: pullOf({ plan: 0, receiver: 0, payer, missing: false }),
    }));
    expect(packPulls(items, { collector, version, most: 19 })).toHaveLength(transactions);
  },
);
