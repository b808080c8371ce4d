import type { Chain } from '../../src/chain/chain.ts';
import { readApproval } from '../../src/chain/transactions/approval.ts';
import {
  type SubscribeTerms,
  subscribeTransaction,
  type TransactionsToSign,
} from '../../src/chain/transactions/checkout-transactions.ts';

/** The transactions with which a wallet subscribes, without a checkout. */
export async function subscriptionToSign(chain: Chain, terms: SubscribeTerms): Promise<TransactionsToSign> {
  return subscribeTransaction(chain, terms, await readApproval(chain, terms));
}
