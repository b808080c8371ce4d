import { describe, expect, it } from 'vitest';
import { startIndexer } from '../../indexer/main.ts';
import { startLocalnet } from '../../localnet/localnet.ts';
import { createApp } from '../../src/app.ts';
import { type Chain, ClusterUnusable } from '../../src/chain/chain.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { assertSameCluster } from '../../src/chain/rpc/assert-same-cluster.ts';
import { readGenesisHash } from '../../src/chain/rpc/genesis-hash.ts';
import type { ClusterConfig } from '../../src/config/cluster-config.ts';
import type { Role } from '../../src/config/role.ts';
import { knownSlot, recordSlot } from '../../src/domain/chain-state/mirror/known-slot.ts';
import { checkReadiness } from '../../src/operations/health.ts';
import { startWorld } from '../scenarios/world.ts';
import { sharedByFile } from '../support/shared-by-file.ts';

const environment = 'TEST';
/** So many slots ahead that every node of the right cluster would seem to be behind. */
const SLOTS_AHEAD = 1_000_000;

const world = await sharedByFile(startWorld({ workers: false }));
const other = await sharedByFile(startLocalnet({ slotMs: 20 }));
other.network.travel({ slot: other.network.slot('processed') + SLOTS_AHEAD });

const chainAt = (config: Partial<ClusterConfig>): Promise<Chain> =>
  createChain(environment, { ...world.chain.config, ...config });
const readGenesisHashOfBooks = async () =>
  (await world.ctx.db.cluster.findUnique({ where: { environment } }))?.genesisHash;

describe('another cluster than that of the books', () => {
  it('is accepted while there is no plan, and is refused afterwards', async () => {
    const { db } = world.ctx;
    const [ownHash, otherHash] = [await readGenesisHash(world.chain), other.network.genesisHash];
    expect(await readGenesisHashOfBooks()).toBe(ownHash);
    await world.stopIndexer();
    await assertSameCluster(db, await chainAt({ rpcUrl: other.rpcUrl }));
    expect(await readGenesisHashOfBooks()).toBe(otherHash);
    expect(await knownSlot(world.ctx, environment)).toBe(0n);
    await assertSameCluster(db, world.chain);
    expect(await readGenesisHashOfBooks()).toBe(ownHash);
    await world.startIndexer();
    await world.plan();
    const refused = assertSameCluster(db, await chainAt({ rpcUrl: other.rpcUrl }));
    await expect(refused).rejects.toThrow(ClusterUnusable);
    await expect(refused).rejects.toThrow(
      `its genesis hash is ${otherHash}, but the recorded one is ${ownHash}. Correct TEST_RPC_URL`,
    );
    const { config } = world.ctx;
    const clusters = { TEST: { ...world.chain.config, rpcUrl: other.rpcUrl } };
    await expect(createApp({ ...config, clusters })).rejects.toThrow(ClusterUnusable);
    await expect(
      createApp({ ...config, clock: 'system', clusters }, 'worker', { awayAllowed: true }),
    ).rejects.toThrow(ClusterUnusable);
    expect(await readGenesisHashOfBooks()).toBe(ownHash);
    await assertSameCluster(db, world.chain);
  });

  it('is refused as a second node; a node that does not answer is ignored', async () => {
    const { db } = world.ctx;
    const mixed = await chainAt({ moreRpcUrls: [other.rpcUrl] });
    await expect(assertSameCluster(db, mixed)).rejects.toThrow(
      'The nodes of TEST belong to different clusters',
    );
    const partlyUnreachable = await chainAt({ moreRpcUrls: ['http://127.0.0.1:1'] });
    await assertSameCluster(db, partlyUnreachable);
    await expect(assertSameCluster(db, await chainAt({ rpcUrl: 'http://127.0.0.1:1' }))).rejects.toThrow(
      'cannot be reached',
    );
  });

  it('does not change the known slot with its stream', async () => {
    await world.stopIndexer();
    const before = await knownSlot(world.ctx, environment);
    world.logged.length = 0;
    const chain = await chainAt({ yellowstoneUrl: other.geyserUrl });
    const indexer = await startIndexer({ ...world.ctx, chain: { TEST: chain } });
    await world.until('the stream is refused', () =>
      world.logged.some(
        ({ msg, err }) => msg === 'stream broken' && `${JSON.stringify(err)}`.includes('different clusters'),
      ),
    );
    await indexer.close();
    expect((await knownSlot(world.ctx, environment)) - before).toBeLessThan(1_000n);
    await world.startIndexer();
    await world.mirrored();
  });

  it('does not change the known slot if a stream switches to it', async () => {
    await world.stopIndexer();
    const { db } = world.ctx;
    const otherWithSameSlot = await startLocalnet({ slotMs: 20 });
    const ownSlot = () => world.rpc<number>('getSlot', [{ commitment: 'processed' }]);
    otherWithSameSlot.network.travel({ slot: await ownSlot() });
    const chain = await chainAt({ yellowstoneUrl: otherWithSameSlot.geyserUrl });
    const readHeardAt = async () => {
      const row = await db.streamPosition.findUniqueOrThrow({ where: { environment } });
      return row.heardAt?.getTime();
    };
    const before = await readHeardAt();
    world.logged.length = 0;
    const indexer = await startIndexer({ ...world.ctx, chain: { TEST: chain } });
    await world.until('the stream is read', async () => (await readHeardAt()) !== before);
    otherWithSameSlot.network.travel({ slot: otherWithSameSlot.network.slot('processed') + SLOTS_AHEAD });
    await world.until('the stream is refused', () =>
      world.logged.some(
        ({ msg, err }) => msg === 'stream broken' && `${JSON.stringify(err)}`.includes('different clusters'),
      ),
    );
    const { doubt } = await db.streamPosition.findUniqueOrThrow({ where: { environment } });
    expect(doubt).toMatch('different clusters');
    await indexer.close();
    await otherWithSameSlot.close();
    expect(Number(await knownSlot(world.ctx, environment)) - (await ownSlot())).toBeLessThan(1_000);
    await world.startIndexer();
    await world.mirrored();
  });

  it('whose slots were recorded before makes no role ready, with the reason', async () => {
    await world.stopIndexer();
    const { db } = world.ctx;
    const own = await db.streamPosition.findUniqueOrThrow({ where: { environment } });
    const readReadiness = (role: Role) => checkReadiness(world.ctx, [role]);
    expect((await readReadiness('worker'))['node TEST']).toMatchObject({ ok: true });
    await recordSlot(world.ctx, environment, own.slot + BigInt(SLOTS_AHEAD));
    for (const role of ['worker', 'indexer'] as const) {
      expect((await readReadiness(role))['node TEST']).toMatchObject({
        ok: false,
        detail: { problem: expect.stringContaining('correct the known slot') },
      });
    }
    await db.streamPosition.update({ where: { environment }, data: { headSlot: own.headSlot } });
    expect((await readReadiness('worker'))['node TEST']).toMatchObject({ ok: true });
    await world.startIndexer();
  });
});
