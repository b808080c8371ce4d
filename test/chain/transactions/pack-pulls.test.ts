import { generateKeyPairSigner } from '@solana/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packPulls, pullsThatFit } from '../../../src/chain/transactions/pack-pulls.ts';
import { PackWeight } from '../../../src/chain/transactions/pack-weight.ts';
import { signPulls } from '../../../src/chain/transactions/pull-transactions.ts';
import { anyPulls, anyVersion, pullOf } from '../any-pulls.ts';
import { USDC } from '../world.ts';

const collector = await generateKeyPairSigner();
const blockhash = { blockhash: USDC as never, lastValidBlockHeight: 0n };

test('the size of a transaction is known before it is built', async () => {
  await fc.assert(
    fc.asyncProperty(anyPulls, anyVersion, async (pulls, version) => {
      const fit = pulls.slice(0, pullsThatFit(pulls, { collector, version, maxPulls: 19 }));
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

test('packing contains every pull once, within the size and the requested maximum', () => {
  fc.assert(
    fc.property(anyPulls, anyVersion, fc.integer({ min: 1, max: 19 }), (pulls, version, maxPulls) => {
      const items = pulls.map((pull) => ({ pull }));
      const packing = { collector, version, maxPulls };
      const packs = packPulls(items, packing);
      expect(new Set(packs.flat())).toEqual(new Set(items));
      expect(packs.flat()).toHaveLength(items.length);
      for (const pack of packs) {
        expect(pack.length).toBeLessThanOrEqual(maxPulls);
        const packedPulls = pack.map(({ pull }) => pull);
        expect(pullsThatFit(packedPulls, packing)).toBe(pack.length);
      }
    }),
  );
});

test.each([
  { version: 1, transactions: 12 },
  { version: 0, transactions: 57 },
  { version: 'legacy', transactions: 57 },
] as const)(
  '228 pulls of one plan fill $transactions transactions of version $version',
  ({ version, transactions }) => {
    const items = Array.from({ length: 228 }, (_, payer) => ({
      pull: pullOf({ plan: 0, receiver: 0, payer, missing: false }),
    }));
    expect(packPulls(items, { collector, version, maxPulls: 19 })).toHaveLength(transactions);
  },
);
