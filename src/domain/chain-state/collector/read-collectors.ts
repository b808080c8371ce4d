import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { collectorAddresses } from '../../../chain/accounts/collectors.ts';
import type { Chain } from '../../../chain/chain.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { daysLeft, lamportsPerDay, MEASURED_MS } from './fee-rate.ts';
import { FEE_LAMPORTS, FEE_PAYER_LAMPORTS, RESERVE_LAMPORTS } from './lamport-amounts.ts';

/** The state of an account that pays fees, with amounts in lamports. */
export interface PayingAccount {
  readonly environment: Environment;
  readonly address: string;
  readonly lamports: bigint;
  /** Whether it can pay for a transaction. */
  readonly canPay: boolean;
  /**
   * Costs per day: fees, rents of new token accounts and payments for customers without SOL. They
   * are measured over the last seven days or since the first fee; null if there were none.
   */
  readonly lamportsPerDay: bigint | null;
  readonly daysLeft: number | null;
}

export interface CollectorState extends PayingAccount {
  /** `current` if new plans name it first, otherwise `previous`. */
  readonly role: 'current' | 'previous';
}

export interface FeePayerState extends PayingAccount {
  readonly role: 'fee_payer';
}

type ReadContext = Pick<AppContext, 'db' | 'clock'>;

/** Reads the collectors' balances from the cluster and their costs from the database. */
export function readCollectors(ctx: ReadContext, chain: Chain): Promise<CollectorState[]> {
  return Promise.all(
    collectorAddresses(chain).map(async (address, index) => ({
      ...(await readPayingAccount(ctx, chain, address, FEE_LAMPORTS)),
      role: index === 0 ? ('current' as const) : ('previous' as const),
    })),
  );
}

/** Reads the same of the fee payers. */
export function readFeePayers(ctx: ReadContext, chain: Chain): Promise<FeePayerState[]> {
  return Promise.all(
    chain.feePayers.map(async ({ address }) => ({
      ...(await readPayingAccount(ctx, chain, address, FEE_PAYER_LAMPORTS)),
      role: 'fee_payer' as const,
    })),
  );
}

async function readPayingAccount(
  ctx: ReadContext,
  { environment, rpc }: Chain,
  address: Address,
  fee: bigint,
): Promise<PayingAccount> {
  const [{ value: lamports }, rate] = await Promise.all([
    rpc.getBalance(address, { commitment: 'confirmed' }).send(),
    readRate(ctx, address),
  ]);
  const spendable = lamports > RESERVE_LAMPORTS ? lamports - RESERVE_LAMPORTS : 0n;
  return {
    environment,
    address,
    lamports,
    canPay: spendable >= fee,
    lamportsPerDay: rate,
    daysLeft: daysLeft(spendable, rate),
  };
}

async function readRate({ db, clock }: ReadContext, collector: string) {
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
