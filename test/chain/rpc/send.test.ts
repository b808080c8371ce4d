import type { Signature } from '@solana/kit';
import { expect, test } from 'vitest';
import { createChain } from '../../../src/chain/create-chain.ts';
import { latestBlockhash, sendWire, simulateWire } from '../../../src/chain/rpc/send.ts';
import { fateOf, signatureOutcomes, waitForSignature } from '../../../src/chain/rpc/signature-outcomes.ts';
import { alteredRpc } from '../altered-rpc.ts';
import { createWorld, HOUR, PRICE, type World } from '../world.ts';

async function outcomeOf({ chain }: World, signature: Signature) {
  return (await signatureOutcomes(chain, [signature])).get(signature);
}

async function openWorld() {
  const world = await createWorld();
  const plan = await world.publishPlan();
  const customer = await world.newCustomer(plan);
  const pulls = await world.pullsOf(plan, customer);
  return { ...world, pulls, customer };
}

test('landed, failed and finalized transactions are distinguished', async () => {
  const world = await openWorld();
  const [first, second] = [await world.sign(world.pulls), await world.sign(world.pulls, 1)];
  const landed = await world.land(first.wire);
  const failed = await world.outcome(second.wire);
  expect(await signatureOutcomes(world.chain, [first.signature, second.signature])).toEqual(
    new Map([
      [first.signature, { state: 'landed', slot: landed.slot, err: null, commitment: 'confirmed' }],
      [second.signature, { state: 'landed', slot: failed.slot, err: failed.err, commitment: 'confirmed' }],
    ]),
  );
  for (let slot = 0; slot < 32; slot += 1) world.network.tick();
  expect(await outcomeOf(world, first.signature)).toMatchObject({ commitment: 'finalized' });
});

test('the same bytes sent again land once', async () => {
  const world = await openWorld();
  const { wire, signature } = await world.sign(world.pulls);
  expect(await sendWire(world.chain, wire)).toBe(signature);
  expect(await sendWire(world.chain, wire)).toBe(signature);
  expect(await outcomeOf(world, signature)).toMatchObject({ state: 'landed', err: null });
  expect((await world.subscriptionOf(world.customer)).pulled).toBe(PRICE);
});

test('a dropped transaction is unseen until it can no longer land', async () => {
  const world = await openWorld();
  await world.cheat('localnet_setFaults', [{ dropTransactions: 1 }]);
  const { wire, signature, lastValidBlockHeight } = await world.sign(world.pulls);
  await sendWire(world.chain, wire);
  const beforeExpiry = await outcomeOf(world, signature);
  expect(beforeExpiry && fateOf(beforeExpiry, lastValidBlockHeight)).toBe('open');

  await world.travel(HOUR / 2);
  const afterExpiry = await outcomeOf(world, signature);
  expect(afterExpiry && fateOf(afterExpiry, lastValidBlockHeight)).toBe('expired');
  await sendWire(world.chain, wire);
  expect(await outcomeOf(world, signature)).toMatchObject({ state: 'unseen' });
});

test('a node that is behind proves expiry only for the height that it has reached', async () => {
  const world = await openWorld();
  const { signature } = await world.sign(world.pulls);
  const rpcUrl = await alteredRpc(
    world.localnet.rpcUrl,
    ({ method }, { context }: { context: { slot: number } }) => {
      if (method === 'getSignatureStatuses') context.slot -= 7;
    },
  );
  const behind = await createChain('TEST', { ...world.chain.config, rpcUrl });
  const [height, slot] = [world.network.blockHeight('confirmed'), world.network.slot('confirmed')];
  // Statuses are read at the processed slot, which is ahead of the confirmed one.
  const blockHeight = BigInt(height - 7 + (world.network.slot('processed') - slot));
  expect((await signatureOutcomes(behind, [signature])).get(signature)).toEqual({
    state: 'unseen',
    blockHeight,
    slot: BigInt(world.network.slot('processed') - 7),
  });
});

test('a transaction that landed long ago is found in the history', async () => {
  const world = await openWorld();
  const { wire, signature } = await world.sign(world.pulls);
  await world.land(wire);
  await world.travel(24 * HOUR);
  expect(await outcomeOf(world, signature)).toMatchObject({ state: 'landed', err: null });
});

test('more signatures than a node accepts at once are requested in parts', async () => {
  const world = await openWorld();
  const { wire, signature } = await world.sign(world.pulls);
  await world.land(wire);
  const { chain, pulls } = world;
  const { blockhash, lastValidBlockHeight } = await latestBlockhash(chain);
  expect(lastValidBlockHeight).toBeGreaterThan(0n);
  expect(blockhash).toMatch(/^\w{32,44}$/);
  const unseen = await Promise.all(
    Array.from({ length: 300 }, async (_, index) => {
      const [pull] = pulls;
      if (!pull) throw new Error('No pull');
      return (await world.sign([{ ...pull, amount: BigInt(index + 1) }])).signature;
    }),
  );
  const outcomes = await signatureOutcomes(chain, [...unseen, signature]);
  expect(outcomes.size).toBe(301);
  expect(outcomes.get(signature)).toMatchObject({ state: 'landed' });
  expect(new Set(unseen.map((each) => outcomes.get(each)?.state))).toEqual(new Set(['unseen']));
});

test('a simulation returns the result, and changes nothing', async () => {
  const world = await openWorld();
  const { wire } = await world.sign(world.pulls);
  expect((await simulateWire(world.chain, wire)).err).toBeNull();
  await world.land(wire);
  const { wire: again } = await world.sign(world.pulls, 1);
  const failed = await simulateWire(world.chain, again);
  expect(failed.err).toEqual({ name: 'Custom', instruction: 0, custom: 400 });
  expect(failed.computeUnits).toBeGreaterThan(0);
});

test('waiting ends when the transaction is confirmed, or after the timeout', async () => {
  const world = await openWorld();
  const { wire, signature } = await world.sign(world.pulls);
  const waiting = waitForSignature(world.chain, signature, { timeoutMs: 10_000 });
  await sendWire(world.chain, wire);
  expect(await waiting).toMatchObject({ state: 'landed', err: null, commitment: 'confirmed' });
  const { signature: unsent } = await world.sign(world.pulls, 1);
  expect(await waitForSignature(world.chain, unsent, { timeoutMs: 20 })).toMatchObject({ state: 'unseen' });
});
