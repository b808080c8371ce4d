import { type Address, address, getAddressDecoder } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import { FEW_ATTEMPTS } from '../../../chain/rpc/as-of.ts';
import { readTransaction, signaturesFor } from '../../../chain/rpc/chain-transaction.ts';
import { refundTransfers } from '../../../chain/transactions/refund-transactions.ts';
import { invalidRequest } from '../../../errors.ts';
import { refundReference } from '../../../secrets.ts';
import { MAX_REFUNDS } from '../../catalog/money/max-refunds.ts';
import { upToDate } from '../../chain-state/mirror/known-slot.ts';
import { replaceNodeBehind } from '../../chain-state/mirror/replace-node-behind.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { isId } from '../../kernel/input/valid-text.ts';

const MAX_CONCURRENT_READS = 8;
/** Maximum transactions read of one reference. */
const MAX_READ = 10;

/** A refund that was sent and has no row, because the database came back without it. */
export interface LostRefund {
  readonly reference: Address;
  readonly signature: string;
  /** Base units. */
  readonly amount: bigint;
}

/** The reference of a payment's refund with this index. */
export function referenceOf({ secretKey }: AppContext['config'], paymentId: string, index: number): Address {
  return getAddressDecoder().decode(refundReference(secretKey, paymentId, index));
}

/**
 * The refunds of a payment that were sent and have no row. Only a database that came back without its
 * newest rows may lack some, so the chain is read only for payments from before that. All references
 * that the payment's refunds can have are searched, because refunds that were cancelled have none on
 * chain.
 *
 * @throws BillingError invalid_request, param `paymentId`, if that cannot be decided now
 */
export async function lostRefunds(
  ctx: Pick<AppContext, 'config' | 'db' | 'chain'>,
  { merchantId, environment }: Scope,
  paymentId: string,
): Promise<readonly LostRefund[]> {
  const [restore, payment] = await Promise.all([
    ctx.db.databaseTimeline.findFirst({
      where: { environment, number: { gt: 1 } },
      orderBy: { number: 'desc' },
    }),
    isId(paymentId)
      ? ctx.db.payment.findFirst({
          where: { id: paymentId, merchantId, environment },
          include: { merchant: true, refunds: true, subscription: { include: { plan: true } } },
        })
      : null,
  ]);
  if (!restore || !payment || payment.dueAt > (restore.lostUntil ?? restore.detectedAt)) return [];
  const { merchant, refunds, subscription } = payment;
  const known = new Set(refunds.map(({ reference }) => reference));
  const indexes = Array.from({ length: MAX_REFUNDS }, (_, index) => index);
  const references = indexes.map((index) => referenceOf(ctx.config, payment.id, index));
  const terms = {
    merchant: address(merchant.walletAddress),
    customer: address(subscription.walletAddress),
    mint: address(subscription.plan.mint),
    tokenProgram: address(subscription.plan.tokenProgram),
    amount: 1n,
  };
  try {
    const chain = await upToDate(ctx, chainOf(ctx, environment), FEW_ATTEMPTS);
    const lost = await mapConcurrently(
      references.filter((reference) => !known.has(reference)),
      MAX_CONCURRENT_READS,
      async (reference): Promise<LostRefund[]> => {
        const found: LostRefund[] = [];
        const signatures = await signaturesFor(chain, reference, { limit: MAX_READ });
        for (const { signature, failed } of signatures) {
          const transaction = failed ? undefined : await readTransaction(chain, signature);
          const isUnsure = signatures.length === MAX_READ || (!failed && !transaction);
          if (isUnsure) throw undecided();
          const transfers = transaction ? await refundTransfers(transaction, { ...terms, reference }) : [];
          for (const { amount } of transfers) found.push({ reference, signature, amount });
        }
        return found.slice(0, 1);
      },
    );
    return lost.flat();
  } catch (cause) {
    throw replaceNodeBehind(cause, 'paymentId');
  }
}

const undecided = () =>
  invalidRequest(
    'paymentId',
    'The database was restored, and refunds of this payment that it lost cannot be read now: try again in a minute.',
  );
