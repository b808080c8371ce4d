import type { AppContext } from '../../../app.ts';
import { chainPerCollector } from '../../../chain/accounts/collectors.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { daysLeft, lamportsPerDay, MEASURED_MS } from './fee-rate.ts';
import { FEE_LAMPORTS, RESERVE_LAMPORTS } from './lamport-amounts.ts';

/**
 * The state of a collector, with amounts in lamports.
 */
export interface CollectorState {
  readonly environment: Environment;
  readonly address: string;
  /** `current` if new plans name it first, otherwise `previous`. */
  readonly role: 'current' | 'previous';
  readonly lamports: bigint;
  readonly canPay: boolean;
  /**
   * Costs per day: fees, rents of new token accounts and payments for customers without SOL. They
   * are measured over the last seven days or since the first fee; null if there were none.
   */
  readonly lamportsPerDay: bigint | null;
  readonly daysLeft: number | null;
}

/** Reads the collectors' balances from the cluster and their costs from the database. */
export function readCollectors(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  chain: Chain,
): Promise<CollectorState[]> {
  return Promise.all(
    chainPerCollector(chain).map(async ({ environment, rpc, collector: { address } }, index) => {
      const [{ value }, rate] = await Promise.all([
        rpc.getBalance(address, { commitment: 'confirmed' }).send(),
        readRate(ctx, address),
      ]);
      const lamports: bigint = value;
      const spendable = lamports > RESERVE_LAMPORTS ? lamports - RESERVE_LAMPORTS : 0n;
      return {
        environment,
        address,
        lamports,
        role: index === 0 ? 'current' : 'previous',
        canPay: spendable >= FEE_LAMPORTS,
        lamportsPerDay: rate,
        daysLeft: daysLeft(spendable, rate),
      };
    }),
  );
}

async function readRate({ db, clock }: Pick<AppContext, 'db' | 'clock'>, collector: string) {
  const now = clock.now();
  const since = new Date(now.getTime() - MEASURED_MS);
  const [fees, rents, sponsored] = await Promise.all([
    db.transferTransaction.aggregate({
      where: { collector, settledAt: { gt: since }, feeLamports: { not: null } },
      _sum: { feeLamports: true },
      _min: { createdAt: true },
    }),
    db.receiverAccount.aggregate({
      where: { collector, createdAt: { gt: since } },
      _sum: { lamports: true },
    }),
    db.sponsoredTransaction.aggregate({
      where: { collector, createdAt: { gt: since } },
      _sum: { lamports: true },
      _min: { createdAt: true },
    }),
  ]);
  const spent = (fees._sum.feeLamports ?? 0n) + (rents._sum.lamports ?? 0n) + (sponsored._sum.lamports ?? 0n);
  return lamportsPerDay(spent, earlier(fees._min.createdAt, sponsored._min.createdAt), now);
}

function earlier(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
