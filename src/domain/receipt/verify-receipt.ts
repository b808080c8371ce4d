import { isAddress, isSignature } from '@solana/kit';
import { PROGRAM, subscriptionAddress } from '../../chain/accounts/addresses.ts';
import { mintDecimalsNow } from '../../chain/accounts/mint-decimals.ts';
import type { Chain } from '../../chain/chain.ts';
import { type ChainTransaction, readTransaction } from '../../chain/rpc/chain-transaction.ts';
import { decodeEvents, receiverOf, type SubscriptionTransfer } from '../../chain/transactions/events.ts';
import { toDecimal } from '../money/decimal-amount.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { isUnaltered, type ReceiptFile } from './receipt-file.ts';

/** The block's time and the recorded time of a payment differ by the time until it was seen. */
const MAX_TIME_DIFFERENCE_SECONDS = 86_400n;

/** A node of a cluster. */
export type Verifying = Pick<Chain, 'rpc' | 'minSlot'>;

/** One comparison. */
export interface ReceiptCheck {
  /** What was compared, as a sentence that is true if it agrees. */
  readonly says: string;
  readonly agrees: boolean;
}

export interface ReceiptVerdict {
  readonly agrees: boolean;
  readonly checks: readonly ReceiptCheck[];
}

/**
 * Compares a receipt with the chain and with its own signature. It needs nothing but the file and a
 * node of the cluster. Names, addresses, tax ids and the number are not on chain: the signature
 * shows that they are as the service wrote them, if the key is the service's.
 *
 * @param key the key of the service, if it is known
 * @throws errors of the cluster
 */
export async function verifyReceipt(
  chain: Verifying,
  file: ReceiptFile,
  key?: string,
): Promise<ReceiptVerdict> {
  const { receipt, seal } = file;
  const checks: ReceiptCheck[] = [
    {
      says: 'Every word and digit is as it was signed',
      agrees: isUnaltered(file) && (key === undefined || seal.publicKey === key),
    },
    { says: 'The amount in words is that in base units', agrees: isSameAmount(receipt) },
  ];
  const cluster = await chain.rpc.getGenesisHash().send();
  const isOfCluster = cluster === receipt.chain.genesisHash;
  checks.push({ says: 'It is of this cluster', agrees: isOfCluster });
  if (isOfCluster) checks.push(...(await compareWithChain(chain, receipt)));
  return { agrees: checks.every(({ agrees }) => agrees), checks };
}

async function compareWithChain(chain: Verifying, receipt: ReceiptDocument): Promise<ReceiptCheck[]> {
  const { signature, slot } = receipt.chain;
  const transaction = isSignature(signature)
    ? await readTransaction(chain, signature, 'finalized')
    : undefined;
  const exists: ReceiptCheck = {
    says: 'The transaction is on chain, final and without an error',
    agrees: transaction !== undefined && transaction.err === null,
  };
  if (!transaction || transaction.err) return [exists];
  return [
    exists,
    { says: `It is in slot ${slot}`, agrees: String(transaction.slot) === slot },
    { says: 'It was made at the time of the payment', agrees: isAtTime(transaction, receipt) },
    ...(await compareTransfer(chain, transaction, receipt)),
  ];
}

async function compareTransfer(
  chain: Verifying,
  transaction: ChainTransaction,
  { amount, buyer, seller, chain: claimed }: ReceiptDocument,
): Promise<ReceiptCheck[]> {
  const transfer = decodeEvents(transaction).find(
    (event): event is SubscriptionTransfer => event.type === 'transfer' && event.index === claimed.eventIndex,
  );
  const has = (says: string, agrees: boolean | undefined) => ({ says, agrees: agrees === true });
  return [
    has('The program moved the amount', transfer && String(transfer.amount) === amount.baseUnits),
    has(
      'It moved this token, with these decimals',
      transfer?.mint === amount.mint && (await hasDecimals(chain, amount)),
    ),
    has('It came from the wallet of the buyer', transfer?.subscriber === buyer.wallet),
    has(
      'It went to the wallet of the seller',
      transfer && receiverOf(transaction, transfer) === seller.wallet,
    ),
    has(
      'It was for this plan, subscription and period',
      transfer &&
        claimed.program === PROGRAM &&
        transfer.plan === claimed.plan &&
        transfer.subscription === claimed.subscription &&
        String(transfer.periodStart) === claimed.periodStart &&
        (await subscriptionAddress(transfer.plan, transfer.subscriber)) === claimed.subscription,
    ),
  ];
}

function isSameAmount({ amount: { baseUnits, decimals, decimal } }: ReceiptDocument): boolean {
  return toDecimal(BigInt(baseUnits), decimals ?? 0) === decimal;
}

function isAtTime({ blockTime }: ChainTransaction, { paidAt }: ReceiptDocument): boolean {
  if (blockTime === null) return true;
  const paid = BigInt(Math.floor(Date.parse(paidAt) / 1_000));
  const difference = paid > blockTime ? paid - blockTime : blockTime - paid;
  return difference <= MAX_TIME_DIFFERENCE_SECONDS;
}

async function hasDecimals(
  chain: Verifying,
  { mint, decimals }: ReceiptDocument['amount'],
): Promise<boolean> {
  if (!isAddress(mint)) return false;
  const now = await mintDecimalsNow(chain, mint);
  // A mint that was closed says nothing.
  return now === undefined || now === decimals;
}
