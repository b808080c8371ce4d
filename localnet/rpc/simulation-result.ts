import type { Address } from '@solana/kit';
import type { AccountState } from '../accounts.ts';
import type { Network } from '../network.ts';
import { tokenBalancesOf } from '../token.ts';
import { feeOf, type ParsedTransaction } from '../transaction.ts';
import { encodeAccount } from './account-encoding.ts';
import type { ReadContext } from './context.ts';
import { addressOf, configOf, invalidParams, oneOf, stringsOf } from './params.ts';
import { encodeInnerInstructions, encodeReturnData, encodeTokenBalances } from './transaction-encoding.ts';

const ACCOUNT_ENCODINGS = ['base64', 'jsonParsed', 'base64+zstd', 'base58', 'binary'] as const;
/** Bytes that count for every loaded account in addition to its data (SIMD-0186). */
const ACCOUNT_BASE_BYTES = 64;

type Simulation = ReturnType<Network['simulate']>;

/** The accounts whose state after the transaction is requested. */
export interface RequestedAccounts {
  readonly addresses: readonly string[];
  readonly encoding: 'base64' | 'jsonParsed' | 'base64+zstd';
}

/**
 * Reads the `accounts` of simulateTransaction; null if none are requested.
 *
 * @throws RpcError for base58, which a cluster refuses here
 */
export function readRequestedAccounts(value: unknown): RequestedAccounts | null {
  if (value === undefined || value === null) return null;
  const { addresses, encoding: encodingName } = configOf(value);
  const encoding = oneOf(encodingName, ACCOUNT_ENCODINGS, 'base64');
  if (encoding === 'base58' || encoding === 'binary') throw invalidParams('base58 encoding not supported');
  return { addresses: stringsOf(addresses), encoding };
}

/** The complete RpcSimulateTransactionResult except the replaced blockhash. */
export function simulationResult(
  network: Network,
  { commitment }: ReadContext,
  transaction: ParsedTransaction,
  simulation: Simulation,
  request: { readonly accounts: RequestedAccounts | null; readonly withInnerInstructions: boolean },
): object {
  const keys = [...transaction.staticKeys, ...simulation.loaded.writable, ...simulation.loaded.readonly];
  const simulatedAt = network.simulationCommitment(commitment);
  const before = (address: Address) => network.getAccount(address, simulatedAt);
  const changed = simulation.accounts();
  const after = (address: Address) => changed.get(address) ?? before(address);
  const lamports = (read: typeof before) => keys.map((key) => read(key)?.lamports ?? 0n);
  const { err, logs, computeUnits, returnData, innerInstructions } = simulation.execution();
  const succeeded = err === null;
  return {
    err,
    logs,
    accounts: request.accounts && encodeRequestedAccounts(request.accounts, keys, succeeded ? after : null),
    unitsConsumed: computeUnits,
    loadedAccountsDataSize: loadedBytes(keys.map(before)),
    returnData: returnData && encodeReturnData(returnData),
    innerInstructions: request.withInnerInstructions
      ? encodeInnerInstructions({ innerInstructions, accountKeys: keys }, true)
      : null,
    fee: feeOf(transaction),
    preBalances: succeeded ? lamports(before) : null,
    postBalances: succeeded ? lamports(after) : null,
    preTokenBalances: succeeded ? encodeTokenBalances(tokenBalancesOf(keys, keys.map(before), before)) : null,
    postTokenBalances: succeeded ? encodeTokenBalances(tokenBalancesOf(keys, keys.map(after), after)) : null,
    loadedAddresses: simulation.loaded,
  };
}

function encodeRequestedAccounts(
  { addresses, encoding }: RequestedAccounts,
  keys: readonly Address[],
  read: ((address: Address) => AccountState | null) | null,
): unknown[] {
  if (addresses.length > keys.length) {
    throw invalidParams(`Too many accounts provided; max ${keys.length}`);
  }
  if (!read) return addresses.map(() => null);
  return addresses.map((text) => {
    const account = read(addressOf(text));
    return account && account.lamports > 0n ? encodeAccount(account, { encoding }, { readMint: read }) : null;
  });
}

function loadedBytes(accounts: readonly (AccountState | null)[]): number {
  return accounts.reduce((sum, account) => sum + (account ? account.data.length + ACCOUNT_BASE_BYTES : 0), 0);
}
