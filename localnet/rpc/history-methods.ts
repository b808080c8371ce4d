import type { TransactionRecord } from '../ledger.ts';
import type { Network } from '../network.ts';
import { readHistoryContext, withContext } from './context.ts';
import { memoOf } from './memo.ts';
import type { RpcMethods } from './method.ts';
import {
  addressOf,
  booleanOf,
  configOf,
  invalidParams,
  optionalNaturalOf,
  signatureOf,
  stringsOf,
  withParams,
} from './params.ts';
import {
  encodeTransaction,
  statusOf,
  transactionEncodingOf,
  transactionOptionsOf,
} from './transaction-encoding.ts';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1_000;
/** Number of slots for which a node has statuses without searching its history. */
const RECENT_SLOTS = 300;

export const historyMethods: RpcMethods = {
  getTransaction: withParams(1, 2, (network, [signatureText, config]) => {
    const signature = signatureOf(signatureText);
    const settings = typeof config === 'string' ? {} : configOf(config);
    const options = {
      ...transactionOptionsOf(settings),
      ...(typeof config === 'string' && { encoding: transactionEncodingOf(config) }),
      rewards: true,
    };
    const context = readHistoryContext(network, { commitment: settings.commitment });
    const record = network.ledger.transaction(signature);
    if (!record || record.slot > context.slot) return null;
    return {
      slot: record.slot,
      ...encodeTransaction(record, options),
      blockTime: record.blockTime,
      transactionIndex: record.index,
    };
  }),

  getSignatureStatuses: withParams(1, 2, (network, [signatureTexts, config]) => {
    const texts = stringsOf(signatureTexts);
    if (texts.length > MAX_STATUSES) throw invalidParams(`Too many inputs provided; max ${MAX_STATUSES}`);
    const signatures = texts.map(signatureOf);
    const searchesHistory = booleanOf(configOf(config).searchTransactionHistory, false);
    const slot = network.slot('processed');
    return withContext(
      { commitment: 'processed', slot },
      signatures.map((signature) => {
        const record = network.ledger.transaction(signature);
        if (!record || record.slot > slot || (!searchesHistory && record.slot < slot - RECENT_SLOTS))
          return null;
        if (network.faults.hidesStatusAt(record.slot)) {
          network.faults.count('hide');
          return null;
        }
        return signatureStatus(network, record, slot);
      }),
    );
  }),

  getSignaturesForAddress: withParams(1, 2, (network, [addressText, config]) => {
    const address = addressOf(addressText);
    const settings = configOf(config);
    const before = optionalSignatureOf(settings.before);
    const until = optionalSignatureOf(settings.until);
    const limit = optionalNaturalOf(settings.limit) ?? MAX_SIGNATURES;
    if (limit === 0 || limit > MAX_SIGNATURES) throw invalidParams(`Invalid limit; max ${MAX_SIGNATURES}`);
    const context = readHistoryContext(network, config);

    const newest = before === undefined ? undefined : network.ledger.transaction(before);
    if (before !== undefined && !newest) return [];
    const oldest = until === undefined ? undefined : network.ledger.transaction(until);
    return network.ledger
      .transactionsOf(address)
      .filter(
        (record) =>
          record.slot <= context.slot &&
          (!newest || isEarlier(record, newest)) &&
          (!oldest || isEarlier(oldest, record)),
      )
      .slice(0, limit)
      .map((record) => ({
        signature: record.signature,
        slot: record.slot,
        err: record.err,
        memo: memoOf(record.transaction),
        blockTime: record.blockTime,
        confirmationStatus: network.commitmentOf(record.slot),
        transactionIndex: record.index,
      }));
  }),
};

function signatureStatus(network: Network, record: TransactionRecord, slot: number): unknown {
  const confirmationStatus = network.commitmentOf(record.slot);
  return {
    slot: record.slot,
    confirmations: confirmationStatus === 'finalized' ? null : slot - record.slot,
    status: statusOf(record.err),
    err: record.err,
    confirmationStatus,
  };
}

function isEarlier(a: TransactionRecord, b: TransactionRecord): boolean {
  return a.slot < b.slot || (a.slot === b.slot && a.index < b.index);
}

function optionalSignatureOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : signatureOf(value);
}
