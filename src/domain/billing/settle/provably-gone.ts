// A settled payment was provably not made if its transaction is finalized with an error: the block
// in which it had succeeded was rolled back, and a signature lands once. A transaction that a node
// has not seen was provably rolled back if all of these are true:
//
//   1. The transaction is ours, so that its last valid block is known. A merchant's transaction may
//      use a durable nonce and land at any time.
//   2. The node's block height is so far past that block that the block is final. The height was
//      requested before the status.
//   3. The subscription's account, read as of that answer or later, contains no pull of the period
//      beside the finalized ones of its other payments. A missing signature alone proves nothing,
//      because a node may keep no history. A node that is behind is asked again, and then NodeBehind is
//      thrown.
import type { Address } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { AccountLayoutError, decodeSubscription } from '../../../chain/accounts/accounts.ts';
import { PROGRAM } from '../../../chain/accounts/addresses.ts';
import { type ChainAccount, readAccounts } from '../../../chain/accounts/read-accounts.ts';
import type { Chain } from '../../../chain/chain.ts';
import { asOf, highestSlot } from '../../../chain/rpc/as-of.ts';
import { fateOf, isFinalFailure, type SignatureOutcome } from '../../../chain/rpc/signature-outcomes.ts';
import { knownSlot } from '../../chain-state/mirror/known-slot.ts';
import type { PaymentKey } from '../book/read-books.ts';

/** The number of later blocks after which a block is final. */
const BLOCKS_TO_FINALITY = 32n;

/** A settled payment whose transaction a node has not seen, or that is finalized with an error. */
export interface VanishedPayment extends PaymentKey {
  readonly id: string;
  readonly signature: string;
  readonly outcome: SignatureOutcome;
}

/** An unseen payment of a transaction of ours. */
interface Provable extends VanishedPayment {
  readonly outcome: SignatureOutcome & { readonly state: 'unseen' };
  readonly address: string;
  readonly lastValidBlockHeight: bigint;
  /** The slot of the settled transfer. */
  readonly transferSlot: bigint;
  /** What finalized transactions have pulled for the period's other payments, in base units. */
  readonly pulledByOthers: bigint;
}

/**
 * Returns the payments that were provably not made, and the ids of those for which it cannot be
 * proven yet.
 *
 * @throws NodeBehind, and errors of the cluster or the database
 */
export async function provablyGone(
  ctx: AppContext,
  chain: Chain,
  vanished: readonly VanishedPayment[],
): Promise<{ readonly gone: readonly VanishedPayment[]; readonly later: ReadonlySet<string> }> {
  const failed = vanished.filter(({ outcome }) => isFinalFailure(outcome));
  const ours = await readOurUnseen(ctx, vanished);
  const isDead = ({ outcome, lastValidBlockHeight }: Provable) =>
    fateOf(outcome, lastValidBlockHeight + BLOCKS_TO_FINALITY) === 'expired';
  const dead = ours.filter(isDead);
  const later = new Set(ours.filter((payment) => !isDead(payment)).map(({ id }) => id));
  if (dead.length === 0) return { gone: failed, later };
  const slot = highestSlot([
    await knownSlot(ctx, chain.environment),
    ...dead.flatMap(({ outcome, transferSlot }) => [outcome.slot, transferSlot]),
  ]);
  const accounts = await readAccounts(
    asOf(chain, slot),
    dead.map(({ address }) => address as Address),
    'program',
  );
  const unpulled = dead.filter((payment, index) => !mayHavePulled(accounts[index], payment));
  return { gone: [...failed, ...unpulled], later };
}

/**
 * Whether the account may contain the payment's pull. An account that is closed or unreadable, or
 * from which something was pulled later, proves nothing.
 */
function mayHavePulled(
  account: ChainAccount | undefined,
  { periodStart, pulledByOthers }: Provable,
): boolean {
  if (account?.owner !== PROGRAM) return true;
  try {
    const { periodStart: newestPulled, pulled } = decodeSubscription(account.data);
    return newestPulled > periodStart || (newestPulled === periodStart && pulled > pulledByOthers);
  } catch (error) {
    if (error instanceof AccountLayoutError) return true;
    throw error;
  }
}

async function readOurUnseen({ db }: AppContext, vanished: readonly VanishedPayment[]): Promise<Provable[]> {
  const unseen = vanished.flatMap(({ outcome, ...payment }) =>
    outcome.state === 'unseen' ? [{ ...payment, outcome }] : [],
  );
  if (unseen.length === 0) return [];
  const rows = await db.$queryRaw<
    Pick<Provable, 'id' | 'address' | 'lastValidBlockHeight' | 'transferSlot' | 'pulledByOthers'>[]
  >`
    SELECT p."id", s."address", t."lastValidBlockHeight", c."slot" AS "transferSlot", (
        SELECT coalesce(sum(u."amount"), 0)::bigint
        FROM "Payment" o JOIN "ChainTransfer" u ON u."paymentId" = o."id" AND u."signature" = o."signature"
        WHERE o."subscriptionId" = p."subscriptionId" AND o."periodStart" = p."periodStart"
          AND o."id" <> p."id" AND o."finalized"
      ) AS "pulledByOthers"
    FROM "Payment" p
      JOIN "Subscription" s ON s."id" = p."subscriptionId"
      JOIN "TransferTransaction" t ON t."signature" = p."signature"
      JOIN "Attempt" a ON a."paymentId" = p."id" AND a."transactionId" = t."id" AND a."status" = 'SUCCEEDED'
      JOIN "ChainTransfer" c ON c."paymentId" = p."id" AND c."signature" = p."signature"
    WHERE p."id" = ANY(${unseen.map(({ id }) => id)}::uuid[])`;
  const found = new Map(rows.map((row) => [row.id, row]));
  return unseen.flatMap((payment) => {
    const row = found.get(payment.id);
    return row ? [{ ...payment, ...row }] : [];
  });
}
