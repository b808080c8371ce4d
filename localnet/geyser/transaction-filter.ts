import type { Address } from '@solana/kit';
import {
  type SubscribeRequestFilterTransactions,
  TokenAccountExpansionControlFlag,
} from '@triton-one/yellowstone-grpc';
import type { TransactionRecord } from '../ledger.ts';
import { addressSet, refuseCuckoo, signatureText } from './filter-fields.ts';
import { InvalidFilter } from './invalid-filter.ts';

const { ALL, BALANCE_CHANGED } = TokenAccountExpansionControlFlag;

/**
 * Whether a transaction matches a filter. All conditions must hold: any of `accountInclude`, all of
 * `accountRequired`, none of `accountExclude`, among the accounts of the message and its lookup
 * tables.
 *
 * @throws InvalidFilter
 */
export function transactionFilter(
  filter: SubscribeRequestFilterTransactions,
): (record: TransactionRecord) => boolean {
  refuseCuckoo(filter.cuckooAccountInclude);
  const { vote, failed, tokenAccounts } = filter;
  if (tokenAccounts !== undefined && tokenAccounts !== ALL && tokenAccounts !== BALANCE_CHANGED) {
    throw new InvalidFilter(
      `invalid token_accounts mode value ${tokenAccounts}; expected ALL (0) or BALANCE_CHANGED (1)`,
    );
  }
  const signature = filter.signature === undefined ? undefined : signatureText(filter.signature);
  const include = addressSet(filter.accountInclude);
  const exclude = addressSet(filter.accountExclude);
  const required = [...addressSet(filter.accountRequired)];

  return (record) => {
    if (vote) return false; // there are no votes
    if (failed !== undefined && failed !== (record.err !== null)) return false;
    if (signature !== undefined && signature !== record.signature) return false;
    const keys =
      tokenAccounts === undefined
        ? record.accountKeys
        : [...record.accountKeys, ...tokenOwnersOf(record, tokenAccounts)];
    if (!required.every((address) => keys.includes(address))) return false;
    if (include.size > 0 && !keys.some((key) => include.has(key))) return false;
    return exclude.size === 0 || !keys.some((key) => exclude.has(key));
  };
}

/**
 * Owners of the token accounts in a transaction: of all, or only of those that were opened, closed
 * or changed their balance.
 */
function tokenOwnersOf(record: TransactionRecord, mode: TokenAccountExpansionControlFlag): Address[] {
  const { preTokenBalances, postTokenBalances } = record;
  const all = [...preTokenBalances, ...postTokenBalances];
  if (mode === ALL) return all.map(({ owner }) => owner);
  const before = new Map(preTokenBalances.map((balance) => [balance.accountIndex, balance.amount]));
  const after = new Map(postTokenBalances.map((balance) => [balance.accountIndex, balance.amount]));
  return all
    .filter(({ accountIndex }) => before.get(accountIndex) !== after.get(accountIndex))
    .map(({ owner }) => owner);
}
