import type { Db } from '../../db/db.ts';
import { sqlStateOf } from '../../db/sql-state.ts';
import { publicPart } from '../../observability/public-urls.ts';
import { type Chain, ClusterUnusable } from '../chain.ts';
import { readGenesisHash } from './genesis-hash.ts';

const UNDEFINED_TABLE = '42P01';

/**
 * Checks that the cluster is the one that the environment's rows were recorded from. Slots,
 * accounts and signatures of one cluster are invalid on another: its nodes could be behind the
 * recorded slots forever. The first cluster is stored. Another one may replace it only while the
 * environment has no plan.
 *
 * @throws ClusterUnusable
 */
export async function assertSameCluster(db: Db, chain: Chain): Promise<void> {
  const { environment, config } = chain;
  const genesisHash = await readGenesisHash(chain);
  const recordedHash = await recordGenesisHash(db, chain, genesisHash);
  if (recordedHash === undefined || recordedHash === genesisHash) return;
  if (await db.plan.findFirst({ where: { environment }, select: { id: true } })) {
    throw new ClusterUnusable(
      `The ${environment} cluster at ${publicPart(config.rpcUrl)} is not the one that this database was created with: its genesis hash is ${genesisHash}, but the recorded one is ${recordedHash}. Correct ${environment}_RPC_URL, or use a new database for another cluster`,
    );
  }
  await db.$transaction([
    db.cluster.update({ where: { environment }, data: { genesisHash } }),
    db.streamPosition.deleteMany({ where: { environment } }),
  ]);
}

/**
 * Stores the genesis hash if there is none yet, and returns the stored one. Undefined if the
 * database is not migrated, which is checked later.
 */
async function recordGenesisHash(
  db: Db,
  { environment }: Chain,
  genesisHash: string,
): Promise<string | undefined> {
  try {
    await db.cluster.createMany({ data: { environment, genesisHash }, skipDuplicates: true });
    return (await db.cluster.findUniqueOrThrow({ where: { environment } })).genesisHash;
  } catch (error) {
    const isMissing = sqlStateOf(error) === UNDEFINED_TABLE || (error as { code?: string }).code === 'P2021';
    if (isMissing) return undefined;
    throw error;
  }
}
