import type { Signature } from '@solana/kit';
import type { Chain } from '../../../chain/chain.ts';
import { readTransaction, signaturesFor } from '../../../chain/rpc/chain-transaction.ts';
import { refundTransfers } from '../../../chain/transactions/refund-transactions.ts';
import { type BillingError, invalidRequest } from '../../../errors.ts';
import type { SendableRefund } from './find-refund.ts';
import { termsOf } from './refund-terms.ts';

/** Maximum transactions read. */
const MAX_READ = 10;

/**
 * Refuses a refund whose transfer is or may be on chain, whether it is final or not.
 *
 * Anyone who sees the transfer knows its reference, and the customer gains from a second refund.
 * The refund is therefore also refused if a transaction with its reference cannot be read, or if
 * more transactions have it than are read here. The later check (`check-refunds.ts`) reads all of
 * them.
 *
 * @throws BillingError invalid_request, param `id`
 */
export async function assertNotSent(chain: Chain, refund: SendableRefund): Promise<void> {
  const terms = termsOf(refund);
  const { checkedTo } = refund;
  const signatures = await signaturesFor(chain, terms.reference, {
    limit: MAX_READ,
    ...(checkedTo !== null && { until: checkedTo as Signature }),
  });
  let isSure = signatures.length < MAX_READ;
  for (const { signature, failed } of signatures) {
    if (failed) continue;
    const transaction = await readTransaction(chain, signature);
    if (!transaction) isSure = false;
    else if ((await refundTransfers(transaction, terms)).length > 0) {
      throw wasSent(signature);
    }
  }
  if (!isSure) {
    throw invalidRequest(
      'id',
      'The refund may have been sent, which is being checked: try again in a minute.',
    );
  }
}

/** The error for a refund whose transfer was seen and is not final yet. */
export function wasSent(signature: string): BillingError {
  return invalidRequest('id', `The refund was sent: it succeeds when transaction ${signature} is final.`);
}
