import type { Address } from '@solana/kit';
import type { AccountState, AccountWrite } from '../accounts.ts';
import type { Network } from '../network.ts';
import { isTokenProgram } from '../token.ts';
import {
  type AccountEncodingOptions,
  type AnyAccountEncoding,
  encodeAccount,
  MAX_BASE58_BYTES,
  sliceData,
} from './account-encoding.ts';
import { matches, parseFilters } from './account-filter.ts';
import { type ReadContext, readContext, withContext } from './context.ts';
import { INVALID_REQUEST, RpcError, type RpcMethods } from './method.ts';
import {
  addressOf,
  booleanOf,
  configOf,
  dataSliceOf,
  invalidParams,
  oneOf,
  stringsOf,
  withParams,
} from './params.ts';
import { parseTokenProgramAccount } from './token-account-parsing.ts';

const MAX_MULTIPLE_ACCOUNTS = 100;
const ENCODINGS = ['binary', 'base58', 'base64', 'jsonParsed', 'base64+zstd'] as const;

export const accountMethods: RpcMethods = {
  getAccountInfo: withParams(1, 2, (network, [addressText, config]) => {
    const address = addressOf(addressText);
    const options = encodingOptionsOf(config, 'binary');
    const context = readContext(network, config);
    return withContext(context, encodeOrNull(network, context, address, options));
  }),

  getMultipleAccounts: withParams(1, 2, (network, [addressTexts, config]) => {
    const texts = stringsOf(addressTexts);
    if (texts.length > MAX_MULTIPLE_ACCOUNTS) {
      throw invalidParams(`Too many inputs provided; max ${MAX_MULTIPLE_ACCOUNTS}`);
    }
    const addresses = texts.map(addressOf);
    const options = encodingOptionsOf(config, 'base64');
    const context = readContext(network, config);
    return withContext(
      context,
      addresses.map((address) => encodeOrNull(network, context, address, options)),
    );
  }),

  getProgramAccounts: withParams(1, 2, (network, [programText, config]) => {
    const program = addressOf(programText);
    const filters = parseFilters(configOf(config).filters);
    const options = encodingOptionsOf(config, 'binary');
    const context = readContext(network, config);
    const found: AccountWrite[] = [];
    for (const write of network.accountsOwnedBy(program, context.commitment)) {
      if (matches(filters, write.account)) found.push(write);
    }
    const accounts = encodeWithAddresses(network, context, found, options);
    return booleanOf(configOf(config).withContext, false) ? withContext(context, accounts) : accounts;
  }),

  getBalance: withParams(1, 2, (network, [addressText, config]) => {
    const address = addressOf(addressText);
    const context = readContext(network, config);
    return withContext(context, network.getAccount(address, context.commitment)?.lamports ?? 0n);
  }),
};

/** Encoding and slice of a method's configuration. */
export function encodingOptionsOf(config: unknown, fallback: AnyAccountEncoding): AccountEncodingOptions {
  const { encoding, dataSlice } = configOf(config);
  return { encoding: oneOf(encoding, ENCODINGS, fallback), dataSlice: dataSliceOf(dataSlice) };
}

/**
 * Encodes an account for a response.
 *
 * @throws RpcError if it is too large for base58
 */
export function encodeForResponse(
  account: AccountState,
  options: AccountEncodingOptions,
  readMint: (address: Address) => AccountState | null,
): unknown {
  const inBase58 = options.encoding === 'binary' || options.encoding === 'base58';
  if (inBase58 && sliceData(account.data, options.dataSlice).length > MAX_BASE58_BYTES) {
    throw new RpcError(
      INVALID_REQUEST,
      `Encoded binary (base 58) data should be less than ${MAX_BASE58_BYTES} bytes, please use Base64 encoding.`,
    );
  }
  return encodeAccount(account, options, { readMint });
}

/**
 * Encodes accounts with their addresses, in the order of the addresses. With `jsonParsed`, accounts
 * of the token programs that cannot be parsed are left out, as on a cluster.
 */
export function encodeWithAddresses(
  network: Network,
  { commitment }: ReadContext,
  writes: readonly AccountWrite[],
  options: AccountEncodingOptions,
): unknown[] {
  const readMint = (address: Address) => network.getAccount(address, commitment);
  const isSkipped = ({ account }: AccountWrite) =>
    options.encoding === 'jsonParsed' &&
    isTokenProgram(account.owner) &&
    parseTokenProgramAccount(account, readMint) === null;
  return [...writes]
    .sort((a, b) => compareAddresses(a.address, b.address))
    .filter((write) => !isSkipped(write))
    .map(({ address, account }) => ({
      pubkey: address,
      account: encodeForResponse(account, options, readMint),
    }));
}

function encodeOrNull(
  network: Network,
  { commitment }: ReadContext,
  address: Address,
  options: AccountEncodingOptions,
): unknown {
  const account = network.getAccount(address, commitment);
  return account && encodeForResponse(account, options, (mint) => network.getAccount(mint, commitment));
}

// Compares in byte order. Base58's digits have ASCII order, so without leading zeros ("1") the
// longer text is the larger number, and texts of equal length compare directly.
function compareAddresses(a: Address, b: Address): number {
  const left = a.replace(/^1+/, '');
  const right = b.replace(/^1+/, '');
  if (left.length !== right.length) return left.length - right.length;
  return left < right ? -1 : 1;
}
