import type { Db } from '../../db/db.ts';
import { sqlStateOf } from '../../db/sql-state.ts';
import { publicPart } from '../../observability/public-urls.ts';
import { type Chain, ClusterUnusable } from '../chain.ts';
import { readGenesisHash } from './genesis-hash.ts';

const UNDEFINED_TABLE = '42P01';

/**
 * Refuses a cluster other than the one that the environment's rows were recorded on. Slots,
 * accounts and signatures of one cluster mean nothing on another: each node would be behind
 * forever. The first cluster is stored, and another one replaces it while the environment has no
 * plan.
 *
 * @throws ClusterUnusable
 */
export async function assertSameCluster(db: Db, chain: Chain): Promise<void> {
  const { environment, config } = chain;
  const genesisHash = await readGenesisHash(chain);
  const known = await knownGenesisHash(db, chain, genesisHash);
  if (known === undefined || known === genesisHash) return;
  if (await db.plan.findFirst({ where: { environment }, select: { id: true } })) {
    throw new ClusterUnusable(
      `The ${environment} cluster at ${publicPart(config.rpcUrl)} is not the one that this database was made with: its genesis hash is ${genesisHash}, and was ${known}. Correct ${environment}_RPC_URL, or use a new database for another cluster`,
    );
  }
  await db.$transaction([
    db.cluster.update({ where: { environment }, data: { genesisHash } }),
    db.streamPosition.deleteMany({ where: { environment } }),
  ]);
}

/**
 * Stores the cluster if none is known. Undefined if the database is not migrated: checked later.
 */
async function knownGenesisHash(
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
