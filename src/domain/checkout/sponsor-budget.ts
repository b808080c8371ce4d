import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db/db.ts';
import type { Environment, SponsoredTransaction } from '../../generated/prisma/client.ts';

/** The time that a daily maximum covers. */
const BUDGET_MS = 24 * 3_600_000;
/** The key of the advisory lock under which a budget is read and used. */
const RESERVING = 7_203_118;

/** What a sponsored transaction is for, and what it may cost. */
export type Reservation = Pick<
  SponsoredTransaction,
  | 'merchantId'
  | 'environment'
  | 'planId'
  | 'sessionId'
  | 'walletAddress'
  | 'collector'
  | 'lamports'
  | 'lastValidBlockHeight'
>;

/** Maximum lamports within 24 hours. */
export interface SponsorLimits {
  /** Of all merchants of the environment. */
  readonly all: bigint;
  /** Of one merchant: its own and the operator's. */
  readonly merchant: readonly bigint[];
}

/** Why nothing was reserved. */
export type NotReserved =
  /** A transaction of this session may still land. */
  | 'busy'
  /** The wallet was sponsored for this plan before. */
  | 'wallet'
  | 'day'
  | 'merchant';

type Reserved = { readonly id: string } | NotReserved;

/**
 * Writes down what a transaction may cost, before the collector signs it. Reservations of an
 * environment take turns, so that together they stay within the maximum. Those that never landed are
 * deleted by `settleSponsored`, which gives their share back.
 */
export function reserve(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  wanted: Reservation,
  limits: SponsorLimits,
): Promise<Reserved> {
  // One of this process at a time, so that those who wait for the lock hold no connection.
  const result = (turns.get(wanted.environment) ?? Promise.resolve()).then(() =>
    reserveNow(ctx, wanted, limits),
  );
  turns.set(
    wanted.environment,
    result.catch(() => undefined),
  );
  return result;
}

const turns = new Map<Environment, Promise<unknown>>();

function reserveNow(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  wanted: Reservation,
  limits: SponsorLimits,
): Promise<Reserved> {
  const { environment, merchantId, sessionId, planId, walletAddress, lamports } = wanted;
  const now = clock.now();
  const work = async (tx: DbTransaction): Promise<Reserved> => {
    await tx.$executeRaw`SELECT pg_advisory_xact_lock(${RESERVING}::int, ${environment === 'LIVE' ? 1 : 0}::int)`;
    const ofSession = { sessionId, status: 'RESERVED' } as const;
    if (await tx.sponsoredTransaction.findFirst({ where: ofSession, select: { id: true } })) return 'busy';
    const ofWallet = { planId, walletAddress, status: { not: 'FAILED' } } as const;
    if (await tx.sponsoredTransaction.findFirst({ where: ofWallet, select: { id: true } })) return 'wallet';
    if ((await sponsoredSince(tx, { environment }, now)) + lamports > limits.all) return 'day';
    const spent = await sponsoredSince(tx, { environment, merchantId }, now);
    if (limits.merchant.some((most) => spent + lamports > most)) return 'merchant';
    return tx.sponsoredTransaction.create({ data: { ...wanted, createdAt: now }, select: { id: true } });
  };
  return db.$transaction(work);
}

/** Lamports spent or reserved in the last 24 hours, in an environment or by one merchant there. */
export async function sponsoredSince(
  db: Pick<DbTransaction, 'sponsoredTransaction'>,
  scope: { readonly environment: Environment; readonly merchantId?: string },
  now: Date,
): Promise<bigint> {
  const { _sum } = await db.sponsoredTransaction.aggregate({
    where: { ...scope, createdAt: { gt: new Date(now.getTime() - BUDGET_MS) } },
    _sum: { lamports: true },
  });
  return _sum.lamports ?? 0n;
}
