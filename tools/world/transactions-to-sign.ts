import type { WalletAsset } from '../../src/chain/accounts/wallet-accounts.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { readApproval, repairApprovalTransaction } from '../../src/chain/transactions/approval.ts';
import {
  type SubscribeTerms,
  subscribeTransaction,
  type TransactionsToSign,
} from '../../src/chain/transactions/checkout-transactions.ts';

/** The transactions with which a wallet subscribes, without a checkout. */
export async function subscriptionToSign(chain: Chain, terms: SubscribeTerms): Promise<TransactionsToSign> {
  return subscribeTransaction(chain, terms, await readApproval(chain, terms));
}

/** The transaction with which a wallet renews its approval, without the portal. */
export async function repairToSign(chain: Chain, asset: WalletAsset): Promise<string> {
  return repairApprovalTransaction(chain, asset.subscriber, await readApproval(chain, asset));
}
