import { isAddress, isSignature } from '@solana/kit';
import { PROGRAM, subscriptionAddress } from '../../../chain/accounts/addresses.ts';
import { mintDecimalsNow } from '../../../chain/accounts/mint-decimals.ts';
import type { Chain } from '../../../chain/chain.ts';
import { type ChainTransaction, readTransaction } from '../../../chain/rpc/chain-transaction.ts';
import {
  decodeEvents,
  receiverOf,
  type SubscriptionTransfer,
} from '../../../chain/transactions/program-events.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import type { ReceiptDocument } from './receipt-document.ts';
import { isUnaltered, type ReceiptFile } from './receipt-file.ts';

/** A payment may be recorded this long after the time of its block, because it was seen late. */
const MAX_TIME_DIFFERENCE_SECONDS = 86_400n;

/** Said of a file with later amounts: they change, so the signature does not cover them. */
export const LATER_UNCHECKED =
  'Not checked: "later", the amounts since the receipt was issued. The signature does not cover them.';

/** A node of a cluster. */
export type ChainNode = Pick<Chain, 'rpc' | 'minSlot'>;

/** One comparison of a receipt. */
export interface ReceiptCheck {
  /** A sentence that is true if the comparison agrees. */
  readonly statement: string;
  readonly agrees: boolean;
}

export interface ReceiptVerdict {
  readonly agrees: boolean;
  readonly checks: readonly ReceiptCheck[];
}

/**
 * Compares a receipt with the chain and with its own signature. It needs only the file and a node
 * of the cluster. Names, addresses, tax ids, dates and the number are not on chain: the signature
 * shows that they are as the service wrote them, if the key is the service's.
 *
 * @param key the key of the service. Without it the verdict is only about the transfer, because
 *   anyone can change the rest and sign it with another key
 * @throws errors of the cluster
 */
export async function verifyReceipt(
  chain: ChainNode,
  file: ReceiptFile,
  key?: string,
): Promise<ReceiptVerdict> {
  const { receipt, seal } = file;
  const checks: ReceiptCheck[] = [
    { statement: 'The receipt has not changed since it was signed', agrees: isUnaltered(file) },
    ...(key === undefined
      ? []
      : [{ statement: 'The key of the service has signed it', agrees: seal.publicKey === key }]),
    { statement: 'The decimal amount equals the amount in base units', agrees: isSameAmount(receipt) },
    ...(receipt.version === 2
      ? [{ statement: 'The lines add up to what was owed', agrees: addsUp(receipt) }]
      : []),
  ];
  const cluster = await chain.rpc.getGenesisHash().send();
  const isOfCluster = cluster === receipt.chain.genesisHash;
  checks.push({ statement: 'The receipt belongs to this cluster', agrees: isOfCluster });
  if (isOfCluster) checks.push(...(await compareWithChain(chain, receipt)));
  return { agrees: checks.every(({ agrees }) => agrees), checks };
}

async function compareWithChain(chain: ChainNode, receipt: ReceiptDocument): Promise<ReceiptCheck[]> {
  const { signature, slot } = receipt.chain;
  const transaction = isSignature(signature)
    ? await readTransaction(chain, signature, 'finalized')
    : undefined;
  const exists: ReceiptCheck = {
    statement: 'The transaction is on chain, final and without an error',
    agrees: transaction !== undefined && transaction.err === null,
  };
  if (!transaction || transaction.err) return [exists];
  return [
    exists,
    { statement: `The transaction is in slot ${slot}`, agrees: String(transaction.slot) === slot },
    {
      statement: 'The transaction landed at the time of the payment',
      agrees: isAtTime(transaction, receipt),
    },
    ...(await compareTransfer(chain, transaction, receipt)),
  ];
}

async function compareTransfer(
  chain: ChainNode,
  transaction: ChainTransaction,
  { amount, buyer, seller, chain: stated }: ReceiptDocument,
): Promise<ReceiptCheck[]> {
  const transfer = decodeEvents(transaction).find(
    (event): event is SubscriptionTransfer => event.type === 'transfer' && event.index === stated.eventIndex,
  );
  const check = (statement: string, agrees: boolean | undefined) => ({ statement, agrees: agrees === true });
  return [
    check('The program moved the amount', transfer && String(transfer.amount) === amount.baseUnits),
    check(
      'The program moved this token, with these decimals',
      transfer?.mint === amount.mint && (await hasDecimals(chain, amount)),
    ),
    check('The amount came from the wallet of the buyer', transfer?.subscriber === buyer.wallet),
    check(
      'The amount went to the wallet of the seller',
      transfer && receiverOf(transaction, transfer) === seller.wallet,
    ),
    check(
      'The payment was for this plan, subscription and period',
      transfer &&
        stated.program === PROGRAM &&
        transfer.plan === stated.plan &&
        transfer.subscription === stated.subscription &&
        String(transfer.periodStart) === stated.periodStart &&
        (await subscriptionAddress(transfer.plan, transfer.subscriber)) === stated.subscription,
    ),
  ];
}

function isSameAmount(receipt: ReceiptDocument): boolean {
  const { amount } = receipt;
  const parts = receipt.version === 2 ? [...receipt.lines, receipt.owed, receipt.limit] : [];
  return [amount, ...parts].every(
    ({ baseUnits, decimal }) => toDecimal(BigInt(baseUnits), amount.decimals ?? 0) === decimal,
  );
}

function addsUp({ lines, owed }: Extract<ReceiptDocument, { readonly version: 2 }>): boolean {
  return lines.reduce((sum, { baseUnits }) => sum + BigInt(baseUnits), 0n) === BigInt(owed.baseUnits);
}

function isAtTime({ blockTime }: ChainTransaction, { paidAt }: ReceiptDocument): boolean {
  if (blockTime === null) return true;
  const paid = BigInt(Math.floor(Date.parse(paidAt) / 1_000));
  const difference = paid > blockTime ? paid - blockTime : blockTime - paid;
  return difference <= MAX_TIME_DIFFERENCE_SECONDS;
}

async function hasDecimals(
  chain: ChainNode,
  { mint, decimals }: ReceiptDocument['amount'],
): Promise<boolean> {
  if (!isAddress(mint)) return false;
  const now = await mintDecimalsNow(chain, mint);
  // The decimals of a closed mint cannot be compared.
  return now === undefined || now === decimals;
}
