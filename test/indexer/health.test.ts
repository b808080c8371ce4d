import { expect, test } from 'vitest';
import { readCollectionGate } from '../../src/domain/chain-state/mirror/collection-gate.ts';
import {
  type MirrorHealth,
  mirrorHealth,
  mirrorProblemOf,
} from '../../src/domain/chain-state/mirror/mirror-health.ts';
import { startIndexerWorld } from './world.ts';

const SOUND: MirrorHealth = {
  slot: 100n,
  knownSlot: 102n,
  slotsBehind: 2n,
  silentSeconds: 0.5,
  doubt: null,
  doubtSeconds: 0,
};

test.each<{ name: string; health: Partial<MirrorHealth>; problem: RegExp | undefined }>([
  { name: 'a stream that is followed', health: {}, problem: undefined },
  { name: 'a short silence, as during a reconnection', health: { silentSeconds: 45 }, problem: undefined },
  {
    name: 'a gap that is being closed',
    health: { doubt: 'blocks missed', doubtSeconds: 100 },
    problem: undefined,
  },
  { name: 'a gap that stays open', health: { doubt: 'blocks missed', doubtSeconds: 301 }, problem: /missed/ },
  { name: 'a long silence', health: { silentSeconds: 61 }, problem: /no block for 61 s/ },
  { name: 'many slots behind', health: { slotsBehind: 601n }, problem: /601 slots behind/ },
  { name: 'no indexer yet', health: { slot: null, silentSeconds: null }, problem: /no indexer/ },
])('$name', ({ health, problem }) => {
  const reason = mirrorProblemOf({ ...SOUND, ...health });
  if (problem) expect(reason).toMatch(problem);
  else expect(reason).toBeUndefined();
});

test('approval failures count only once the mirror is current', async () => {
  const world = await startIndexerWorld();
  const before = await readCollectionGate(world.ctx, 'TEST');
  expect(before.because).toBe('no indexer has followed the chain yet');
  expect(before.mayFail('APPROVAL_REVOKED')).toBe(false);
  expect(before.mayFail('INSUFFICIENT_FUNDS')).toBe(true);
  await world.startIndexing();
  await world.eventually(async () => {
    const gate = await readCollectionGate(world.ctx, 'TEST');
    expect(gate.because).toBeUndefined();
    expect(gate.mayFail('APPROVAL_REVOKED')).toBe(true);
  });
});

test('a gap marks the mirror as incomplete until it is read', async () => {
  const world = await startIndexerWorld();
  const indexer = await world.startIndexing();
  await world.publishActivePlan();
  await world.eventually(async () => expect((await mirrorHealth(world.ctx, 'TEST')).doubt).toBeNull());
  // The node does not answer, so the gap stays open.
  world.network.faults.set({
    methods: { getSignaturesForAddress: { fault: 'timeout', times: 1_000 } },
    streams: { skipSlots: 3 },
  });
  await world.eventually(async () => {
    expect((await mirrorHealth(world.ctx, 'TEST')).doubt).toMatch(/missed/);
  });
  const { slotsBehind } = await mirrorHealth(world.ctx, 'TEST');
  expect(slotsBehind).toBeGreaterThan(0n);
  world.network.faults.set({ methods: { getSignaturesForAddress: { fault: 'timeout', times: 0 } } });
  world.setStreamFault({ cut: true });
  await world.eventually(async () => expect((await mirrorHealth(world.ctx, 'TEST')).doubt).toBeNull());
  await indexer.close();
  expect((await mirrorHealth(world.ctx, 'TEST')).doubt).toMatch(/has ended/);
});
