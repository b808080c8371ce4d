import type { AppContext } from '../../app.ts';
import type { Chain } from '../../chain/chain.ts';
import { asEachCollector } from '../../chain/collectors.ts';
import type { Environment } from '../../generated/prisma/client.ts';
import { daysLeft, lamportsPerDay, MEASURED_MS } from './fee-rate.ts';
import { FEE_LAMPORTS, RESERVE_LAMPORTS } from './needs.ts';

/** How a collector stands. Lamports; a balance that cannot pay for one transaction more is as good as none. */
export interface CollectorState {
  readonly environment: Environment;
  readonly address: string;
  /** Whether new plans name it first, or it is the one before. */
  readonly role: 'current' | 'previous';
  readonly lamports: bigint;
  readonly canPay: boolean;
  /** Fees at the rate of the last seven days, or since the first one; null where there were none. Rents are not in it. */
  readonly lamportsPerDay: bigint | null;
  readonly daysLeft: number | null;
}

/** Reads the collectors' balances from the cluster, and what they spend from the books. */
export function readCollectors(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  chain: Chain,
): Promise<CollectorState[]> {
  return Promise.all(
    asEachCollector(chain).map(async ({ environment, rpc, collector: { address } }, index) => {
      const [{ value }, rate] = await Promise.all([
        rpc.getBalance(address, { commitment: 'confirmed' }).send(),
        rateOf(ctx, address),
      ]);
      const lamports: bigint = value;
      const spendable = lamports > RESERVE_LAMPORTS ? lamports - RESERVE_LAMPORTS : 0n;
      return {
        ...{ environment, address, lamports },
        role: index === 0 ? 'current' : 'previous',
        canPay: spendable >= FEE_LAMPORTS,
        lamportsPerDay: rate,
        daysLeft: daysLeft(spendable, rate),
      };
    }),
  );
}

async function rateOf({ db, clock }: Pick<AppContext, 'db' | 'clock'>, collector: string) {
  const now = clock.now();
  const { _sum, _min } = await db.transferTransaction.aggregate({
    where: {
      collector,
      settledAt: { gt: new Date(now.getTime() - MEASURED_MS) },
      feeLamports: { not: null },
    },
    _sum: { feeLamports: true },
    _min: { createdAt: true },
  });
  return lamportsPerDay(_sum.feeLamports ?? 0n, _min.createdAt, now);
}
