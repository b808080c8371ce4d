import { zstdCompressSync } from 'node:zlib';
import type { Address } from '@solana/kit';
import { encodeBase58 } from '../../src/base58/base58.ts';
import type { AccountState } from '../accounts.ts';
import { parseTokenProgramAccount } from './token-account-parsing.ts';

export type AccountEncoding = 'base58' | 'base64' | 'base64+zstd' | 'jsonParsed';
/**
 * `binary`, the oldest form, is base58 without the name of the encoding. It is still the default.
 */
export type AnyAccountEncoding = AccountEncoding | 'binary';

export interface DataSlice {
  readonly offset: number;
  readonly length: number;
}

export interface AccountEncodingOptions {
  readonly encoding: AnyAccountEncoding;
  readonly dataSlice?: DataSlice | undefined;
}

/** Other accounts that parsing may read. */
export interface AccountEncodingContext {
  readonly readMint: (address: Address) => AccountState | null;
}

/** Maximum bytes in base58. Encoding takes quadratic time, so a cluster refuses more. */
export const MAX_BASE58_BYTES = 128;
/**
 * The rent epoch that a cluster reports for every account, because all are rent-exempt: u64::MAX.
 */
const RENT_EXEMPT_EPOCH = 18_446_744_073_709_551_615n;

/** An account in the shape of Agave's UiAccount. */
export function encodeAccount(
  account: AccountState,
  options: AccountEncodingOptions,
  context: AccountEncodingContext,
): unknown {
  return {
    lamports: account.lamports,
    data: encodeData(account, options, context),
    owner: account.owner,
    executable: account.executable,
    rentEpoch: RENT_EXEMPT_EPOCH,
    space: account.data.length,
  };
}

/** The part of the data selected by a `dataSlice`; empty beyond the end. */
export function sliceData(data: Uint8Array, slice: DataSlice | undefined): Uint8Array {
  return slice ? data.subarray(slice.offset, slice.offset + slice.length) : data;
}

function encodeData(
  account: AccountState,
  { encoding, dataSlice }: AccountEncodingOptions,
  context: AccountEncodingContext,
): unknown {
  if (encoding === 'jsonParsed') {
    const parsed = parseTokenProgramAccount(account, context.readMint);
    if (parsed) return parsed;
  }
  const data = sliceData(account.data, dataSlice);
  switch (encoding) {
    case 'binary':
      return toBase58(data);
    case 'base58':
      return [toBase58(data), encoding];
    case 'base64+zstd':
      return [zstdCompressSync(data).toString('base64'), encoding];
    default:
      return [toBase64(data), 'base64'];
  }
}

// Notifications contain a cluster's error text if the data is too long. Requests are refused
// earlier.
function toBase58(data: Uint8Array): string {
  return data.length > MAX_BASE58_BYTES ? 'error: data too large for bs58 encoding' : encodeBase58(data);
}

function toBase64(data: Uint8Array): string {
  return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('base64');
}
