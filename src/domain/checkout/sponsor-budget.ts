import type { AppContext } from '../../app.ts';
import type { DbTransaction } from '../../db/db.ts';
import type { Environment, Prisma, SponsoredTransaction } from '../../generated/prisma/client.ts';

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
  | 'callerHash'
  | 'lamports'
  | 'lastValidBlockHeight'
>;

/** Maximum lamports within 24 hours. */
export interface SponsorLimits {
  /** Whether anybody can open the session: with a payment link. */
  readonly isPublic: boolean;
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
  | 'merchant'
  /** Too many unsigned transactions wait, for a caller like this one. */
  | 'share';

/**
 * The statuses of what costs something, or may. Strangers make the other rows, any number a day, and
 * the lock is held while the sums are read.
 */
const COSTING = ['RESERVED', 'LANDED', 'FAILED'] as const;

/** What was created until then no longer counts. */
export function budgetStart(now: Date): Date {
  return new Date(now.getTime() - BUDGET_MS);
}

type Where = Prisma.SponsoredTransactionWhereInput;
type Reserved = { readonly id: string } | NotReserved;

/**
 * Writes down what a transaction may cost, before the collector signs it. Reservations of an
 * environment take turns, so that together they stay within the maximum. `settleSponsored` gives back
 * the share of those that never landed.
 *
 * Whoever asks and does not sign holds a part of the maximum until the transaction can no longer
 * land. So unsigned ones may take only a part of what is left: all of it for a first request, half
 * of it if the session is public, and half as much for each other transaction that the same address
 * asked for and did not sign within 24 hours. What strangers hold is thus never all, and an address
 * that comes for the first time is served before those that keep asking.
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
    const ofWallet: Where = { planId, walletAddress, status: { in: ['RESERVED', 'LANDED'] } };
    if (await tx.sponsoredTransaction.findFirst({ where: ofWallet, select: { id: true } })) return 'wallet';
    const all = await usedSince(tx, { environment }, now);
    if (all.settled + all.held + lamports > limits.all) return 'day';
    const own = await usedSince(tx, { environment, merchantId }, now);
    if (limits.merchant.some((max) => own.settled + own.held + lamports > max)) return 'merchant';
    const halvings = (limits.isPublic ? 1n : 0n) + (await unsignedBy(tx, wanted, now));
    const fits = ({ settled, held }: Used, max: bigint) =>
      held === 0n || held + lamports <= (max - settled) >> halvings;
    if (!fits(all, limits.all) || !limits.merchant.every((max) => fits(own, max))) return 'share';
    return tx.sponsoredTransaction.create({ data: { ...wanted, createdAt: now }, select: { id: true } });
  };
  return db.$transaction(work);
}

/** Unsigned transactions that an address asked for in the last 24 hours, open and expired ones. */
async function unsignedBy(
  { sponsoredTransaction }: DbTransaction,
  { environment, callerHash }: Pick<Reservation, 'environment' | 'callerHash'>,
  now: Date,
): Promise<bigint> {
  if (callerHash === null) return 0n;
  const createdAt = { gt: budgetStart(now) };
  const where: Where = { environment, callerHash, createdAt, status: { in: ['RESERVED', 'EXPIRED'] } };
  return BigInt(await sponsoredTransaction.count({ where }));
}

/** Lamports of the last 24 hours. */
interface Used {
  readonly settled: bigint;
  /** Of transactions that may still land. */
  readonly held: bigint;
}

/** An environment, or one merchant there. */
interface Sponsoring {
  readonly environment: Environment;
  readonly merchantId?: string;
}

async function usedSince(
  db: Pick<DbTransaction, 'sponsoredTransaction'>,
  scope: Sponsoring,
  now: Date,
): Promise<Used> {
  const groups = await db.sponsoredTransaction.groupBy({
    by: ['status'],
    where: { ...scope, status: { in: [...COSTING] }, createdAt: { gt: budgetStart(now) } },
    _sum: { lamports: true },
  });
  const used = { settled: 0n, held: 0n };
  for (const { status, _sum } of groups) {
    used[status === 'RESERVED' ? 'held' : 'settled'] += _sum.lamports ?? 0n;
  }
  return used;
}

/** Lamports spent or reserved in the last 24 hours, in an environment or by one merchant there. */
export async function sponsoredSince(
  db: Pick<DbTransaction, 'sponsoredTransaction'>,
  scope: Sponsoring,
  now: Date,
): Promise<bigint> {
  const { settled, held } = await usedSince(db, scope, now);
  return settled + held;
}
