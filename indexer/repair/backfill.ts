// Finds transactions in a gap by the signatures that a node lists, 1,000 per call. Each transaction
// is then read with a separate call, which is expensive, and anyone can send transactions that name
// the program.
//
// Transactions that dues sent and settled are left out (settled-transactions.ts).
//
// 1. If few unknown signatures are listed, all their transactions are read.
// 2. If there are more of them than `MAX_READ_SINGLY` plus one per plan of ours and what
//    `readPerSecond` allows, or as many more than `LISTED_PAGES` pages, each of our plans is listed
//    instead, and only the transactions that name one are read. Closes that do not name the plan are
//    then not seen.
// 3. If the node does not have the whole history, the available part is read.
//
// All changed accounts are known only in the first case. In the other cases all accounts must be
// compared.
import { type Address, address } from '@solana/kit';
import { inChunks } from '../../src/async/in-chunks.ts';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { PROGRAM } from '../../src/chain/accounts/addresses.ts';
import { asOf } from '../../src/chain/rpc/as-of.ts';
import {
  readTransaction,
  SIGNATURES_PER_CALL,
  type SignatureInfo,
} from '../../src/chain/rpc/chain-transaction.ts';
import { readFirstBlocks } from '../../src/chain/rpc/each-node.ts';
import { type History, historySince } from '../../src/chain/rpc/history-since.ts';
import type { Mirror } from '../apply/mirror.ts';
import { applyNamed } from './named-accounts.ts';
import { applySettled } from './settled-transactions.ts';

/** Nodes index signatures later than they confirm blocks, so about a minute is read again. */
export const OVERLAP_SLOTS = 150n;
const MAX_CONCURRENT_READS = 8;
/** Maximum transactions of one listing in memory. */
const BATCH_SIZE = 100;
const MAX_CONCURRENT_PLANS = 4;
/** The cluster's target. Times are counted in slots, because the chain's time may be moved. */
export const SLOT_MS = 400;
/** Maximum pages of the program's signatures. Beyond it our plans are listed instead. */
const LISTED_PAGES = 20;
/** Maximum transactions, plus one per plan of ours, before our plans are listed instead. */
const MAX_READ_SINGLY = 1_000;
/** Longer gaps allow no more reads, because the signatures are in memory. */
const MAX_GAP_SECONDS = 15 * 60;

/** The result of a backfill. */
export interface Backfilled {
  /** The slot of the newest transaction read; undefined if there was none. */
  readonly newest: bigint | undefined;
  /** The reason why changed accounts may be unknown, for the log; undefined if all are known. */
  readonly unseen: string | undefined;
  /** Calls that foreign transactions caused: their reads, or the listings in case 2. */
  readonly foreignCalls: number;
}

/** The slots whose transactions may have been missed. */
interface Gap {
  readonly since: bigint;
  readonly until: bigint;
  readonly readPerSecond?: number;
}

/**
 * Applies the program's transactions since a slot, oldest first, without recently seen ones: the
 * ledger has no snapshot, so a missed transfer is found only by its transaction. Then reads and
 * applies our accounts that these transactions name. The listing node must have reached `until`,
 * otherwise transactions could be missed permanently.
 *
 * @param gap.readPerSecond transactions that are read one by one for each second between the slots,
 *   at the cluster's target, in addition to the flat maximum
 * @throws NodeBehind; or if the cluster does not respond or the mirror was stopped
 */
export async function backfillTransactions(
  mirror: Mirror,
  { since, until, readPerSecond = 0 }: Gap,
): Promise<Backfilled> {
  const chain = asOf(mirror.chain, until);
  const from = since - OVERLAP_SLOTS;
  const seconds = Math.min((Number(until - from) * SLOT_MS) / 1_000, MAX_GAP_SECONDS);
  const allowed = Math.max(0, Math.ceil(seconds * readPerSecond));
  const [plans, history] = await Promise.all([
    ourPlans(mirror),
    historySince(chain, PROGRAM, from, LISTED_PAGES + Math.ceil(allowed / SIGNATURES_PER_CALL)),
  ]);
  const missed: SignatureInfo[] = [];
  for await (const page of history ? newTransactions(mirror, history) : []) missed.push(...page);
  if (history && missed.length <= MAX_READ_SINGLY + plans.length + allowed) {
    const foreignCalls = await applyInOrder(mirror, missed);
    const isKept = history.reachesBack || (await keepsSince(mirror, since));
    const unseen = isKept ? undefined : 'the node does not have the whole history';
    return { newest: missed.at(-1)?.slot, unseen, foreignCalls };
  }
  let newest: bigint | undefined;
  await mapConcurrently(plans, MAX_CONCURRENT_PLANS, async (plan) => {
    const own = await historySince(chain, plan, from);
    for await (const page of newTransactions(mirror, own)) {
      await applyInOrder(mirror, page);
      const slot = page.at(-1)?.slot;
      if (slot !== undefined && (newest === undefined || slot > newest)) newest = slot;
    }
  });
  return {
    newest,
    unseen: 'too many foreign transactions name the program',
    foreignCalls: LISTED_PAGES + plans.length,
  };
}

/**
 * Whether the history of every node reaches back to a slot, because any of them may have listed the
 * transactions. False if none reports that.
 */
async function keepsSince({ ctx, chain, environment }: Mirror, since: bigint): Promise<boolean> {
  const firstBlocks = await readFirstBlocks(chain);
  if (firstBlocks.length === 0) ctx.log.warn({ environment }, "length of the node's history unknown");
  return firstBlocks.length > 0 && firstBlocks.every((first) => first <= since);
}

/** The addresses of our plans, including drafts, which may have been published meanwhile. */
async function ourPlans({ ctx, environment }: Mirror): Promise<Address[]> {
  const plans = await ctx.db.plan.findMany({ where: { environment }, select: { address: true } });
  return plans.map((plan) => address(plan.address));
}

async function* newTransactions(mirror: Mirror, history: History): AsyncGenerator<SignatureInfo[]> {
  for await (const page of history.pages()) {
    const unseen = page.filter(({ signature, failed }) => !failed && !mirror.hasSeen(signature));
    const settled = await applySettled(mirror, unseen);
    yield unseen.filter(({ signature }) => !settled.has(signature));
  }
}

/** Applies transactions in order. Returns how many of them concern none of our accounts. */
async function applyInOrder(mirror: Mirror, infos: readonly SignatureInfo[]): Promise<number> {
  let foreign = 0;
  for (const batch of inChunks(infos, BATCH_SIZE)) {
    const read = await mapConcurrently(batch, MAX_CONCURRENT_READS, ({ signature }) =>
      readTransaction(mirror.chain, signature),
    );
    await mirror.waitForRoom();
    const done = await Promise.all(
      read.map((transaction, index) => {
        if (transaction) return mirror.addTransaction(transaction);
        const { signature, slot } = batch[index] as SignatureInfo;
        const unapplied = { subject: { kind: 'transaction', signature }, slot } as const;
        return mirror.setAsideUnreadable(
          unapplied,
          new Error('The node lists the transaction but does not have it'),
        );
      }),
    );
    if (!done.every(Boolean)) throw new Error('The mirror has been stopped');
    foreign += await applyNamed(
      mirror,
      read.filter((transaction) => transaction !== undefined),
    );
  }
  return foreign;
}
