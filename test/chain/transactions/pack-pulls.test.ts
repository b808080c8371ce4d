import { generateKeyPairSigner } from '@solana/kit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packPulls, pullsThatFit } from '../../../src/chain/transactions/pack-pulls.ts';
import { PackWeight } from '../../../src/chain/transactions/pack-weight.ts';
import { signPulls } from '../../../src/chain/transactions/pull-transactions.ts';
import { anyPulls, anySigners, anyVersion, pullOf } from '../any-pulls.ts';
import { USDC } from '../world.ts';

const collector = await generateKeyPairSigner();
const feePayer = await generateKeyPairSigner();
const blockhash = { blockhash: USDC as never, lastValidBlockHeight: 0n };

test('the size of a transaction is known before it is built', async () => {
  await fc.assert(
    fc.asyncProperty(anyPulls, anyVersion, anySigners, async (pulls, version, by) => {
      const signers = Object.values(by).map(({ address }) => address);
      const fit = pulls.slice(0, pullsThatFit(pulls, { signers, version, maxPulls: 19 }));
      const weight = new PackWeight(signers, version);
      for (const pull of fit) weight.add(pull);
      const terms = { blockhash, version, computeUnits: 200_000, price: 1n };
      const { wire } = await signPulls(by, fit, terms);
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
      const packing = { signers: [collector.address], version, maxPulls };
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

const justCollector = [collector.address];
const withFeePayer = [feePayer.address, collector.address];

test.each([
  { pulls: 228, signers: justCollector, version: 1, each: 19 },
  { pulls: 228, signers: justCollector, version: 0, each: 4 },
  { pulls: 228, signers: justCollector, version: 'legacy', each: 4 },
  { pulls: 216, signers: withFeePayer, version: 1, each: 18 },
  { pulls: 216, signers: withFeePayer, version: 0, each: 4 },
  { pulls: 216, signers: withFeePayer, version: 'legacy', each: 4 },
] as const)(
  '$pulls pulls of one plan fill transactions of $each in version $version',
  ({ pulls, signers, version, each }) => {
    const items = Array.from({ length: pulls }, (_, payer) => ({
      pull: pullOf({ plan: 0, receiver: 0, payer, missing: false }),
    }));
    const packs = packPulls(items, { signers, version, maxPulls: 19 });
    expect(new Set(packs.map(({ length }) => length))).toEqual(new Set([each]));
  },
);

test.each([
  { version: 1, fit: 11 },
  { version: 0, fit: 3 },
  { version: 'legacy', fit: 3 },
] as const)(
  'without shared accounts $fit pulls fit in version $version, with any payer',
  ({ version, fit }) => {
    const pulls = Array.from({ length: 19 }, (_, n) =>
      pullOf({ plan: n, receiver: n, payer: n, missing: false }),
    );
    for (const signers of [justCollector, withFeePayer]) {
      expect(pullsThatFit(pulls, { signers, version, maxPulls: 19 })).toBe(fit);
    }
  },
);
