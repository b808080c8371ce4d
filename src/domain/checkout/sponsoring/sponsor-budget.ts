import type { AppContext } from '../../../app.ts';
import { advisoryLock, ENVIRONMENT_PART } from '../../../db/advisory-locks.ts';
import type { DbTransaction } from '../../../db/db.ts';
import { type Environment, Prisma, type SponsoredTransaction } from '../../../generated/prisma/client.ts';
import { partForNewMerchants } from '../../chain-state/collector/merchants-with-rent.ts';

/** The time that a daily maximum covers. */
const BUDGET_MS = 24 * 3_600_000;

/** The purpose of a sponsored transaction, and its maximum cost. */
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
  /** Whether the merchant has not collected yet: all such merchants share half of `all`. */
  readonly isNew: boolean;
  /** For all merchants of the environment together. */
  readonly all: bigint;
  /** For one merchant: its own limit and the operator's. */
  readonly merchant: readonly bigint[];
}

/** The reason why nothing was reserved. */
export type NotReserved =
  /** A transaction of this session may still land. */
  | 'busy'
  /** The wallet was sponsored for this plan before. */
  | 'wallet'
  /** The daily maximum of the environment is used up. */
  | 'day'
  /** Merchants that have not collected yet have used up their part of it. */
  | 'new_merchants'
  /** A daily maximum of the merchant is used up. */
  | 'merchant'
  /** Unsigned transactions hold too much of the maximum for this caller. */
  | 'share';

/** The start of the time that counts: transactions created at or before it do not. */
export function budgetStart(now: Date): Date {
  return new Date(now.getTime() - BUDGET_MS);
}

type Where = Prisma.SponsoredTransactionWhereInput;
type Reserved = { readonly id: string } | NotReserved;

/**
 * Reserves the maximum cost of a transaction before the collector signs it. Reservations of an
 * environment are made one after the other, so that together they stay within the maximum.
 * `settleSponsored` releases the share of transactions that never landed.
 *
 * An unsigned transaction uses up its cost until it can no longer land. So that one caller cannot
 * use up everything, all unsigned transactions together may use only a part of what is left:
 *
 * 1. All of it, or half of it if the session is public.
 * 2. Half as much for each transaction that the address requested within 24 hours and did not sign.
 *
 * So a new address is served before those that repeat their requests. While there is no unsigned
 * transaction, a request only has to fit into the maximum.
 */
export function reserve(
  ctx: Pick<AppContext, 'db' | 'clock'>,
  reservation: Reservation,
  limits: SponsorLimits,
): Promise<Reserved> {
  // One reservation of this process at a time, so that those that wait hold no connection.
  const result = (lastReservations.get(reservation.environment) ?? Promise.resolve()).then(() =>
    reserveNow(ctx, reservation, limits),
  );
  lastReservations.set(
    reservation.environment,
    result.catch(() => undefined),
  );
  return result;
}

const lastReservations = new Map<Environment, Promise<unknown>>();

function reserveNow(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  reservation: Reservation,
  limits: SponsorLimits,
): Promise<Reserved> {
  const { environment, merchantId, sessionId, planId, walletAddress, lamports } = reservation;
  const now = clock.now();
  const work = async (tx: DbTransaction): Promise<Reserved> => {
    await tx.$executeRaw`SELECT ${Prisma.raw(advisoryLock('sponsoring', ENVIRONMENT_PART[environment]))}`;
    const forSession = { sessionId, status: 'RESERVED' } as const;
    if (await tx.sponsoredTransaction.findFirst({ where: forSession, select: { id: true } })) return 'busy';
    const forWallet: Where = { planId, walletAddress, status: { in: ['RESERVED', 'LANDED'] } };
    if (await tx.sponsoredTransaction.findFirst({ where: forWallet, select: { id: true } })) return 'wallet';
    const all = await usedSince(tx, { environment }, now);
    if (all.settled + all.held + lamports > limits.all) return 'day';
    const byNew = limits.isNew ? await usedSince(tx, { environment, byNew: true }, now) : NOTHING;
    const maxByNew = partForNewMerchants(limits.all);
    if (limits.isNew && byNew.settled + byNew.held + lamports > maxByNew) return 'new_merchants';
    const own = await usedSince(tx, { environment, merchantId }, now);
    if (limits.merchant.some((max) => own.settled + own.held + lamports > max)) return 'merchant';
    const halvings = (limits.isPublic ? 1n : 0n) + (await unsignedBy(tx, reservation, now));
    const fits = ({ settled, held }: Used, max: bigint) =>
      held === 0n || held + lamports <= (max - settled) >> halvings;
    if (limits.isNew && !fits(byNew, maxByNew)) return 'share';
    if (!fits(all, limits.all) || !limits.merchant.every((max) => fits(own, max))) return 'share';
    const data = { ...reservation, wasNew: limits.isNew, createdAt: now };
    return tx.sponsoredTransaction.create({ data, select: { id: true } });
  };
  return db.$transaction(work);
}

/** Counts the unsigned transactions, open or expired, that an address requested in 24 hours. */
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
  /** Lamports of transactions that may still land. */
  readonly held: bigint;
}

const NOTHING: Used = { settled: 0n, held: 0n };

/** An environment, or one merchant there, or merchants there that had not collected yet. */
interface Sponsoring {
  readonly environment: Environment;
  readonly merchantId?: string;
  readonly byNew?: boolean;
}

/**
 * Sums the lamports that were spent or may still be spent. Expired transactions are left out:
 * strangers can cause any number of them a day, and the sums are read while the lock is held.
 */
async function usedSince(
  db: Pick<DbTransaction, '$queryRaw'>,
  { environment, merchantId, byNew = false }: Sponsoring,
  now: Date,
): Promise<Used> {
  const ofMerchant =
    merchantId === undefined ? Prisma.empty : Prisma.sql`AND "merchantId" = ${merchantId}::uuid`;
  const ofNew = byNew ? Prisma.sql`AND "wasNew"` : Prisma.empty;
  const [used = NOTHING] = await db.$queryRaw<Used[]>`
    SELECT coalesce(sum("lamports") FILTER (WHERE "status" <> 'RESERVED'), 0)::bigint AS "settled",
      coalesce(sum("lamports") FILTER (WHERE "status" = 'RESERVED'), 0)::bigint AS "held"
    FROM "SponsoredTransaction"
    WHERE "environment" = ${environment}::"Environment" ${ofMerchant} ${ofNew}
      AND "status" IN ('RESERVED', 'LANDED', 'FAILED') AND "createdAt" > ${budgetStart(now)}::timestamptz`;
  return used;
}

/** Lamports spent or reserved in the last 24 hours, in an environment or by one merchant there. */
export async function sponsoredSince(
  db: Pick<DbTransaction, '$queryRaw'>,
  scope: Sponsoring,
  now: Date,
): Promise<bigint> {
  const { settled, held } = await usedSince(db, scope, now);
  return settled + held;
}
