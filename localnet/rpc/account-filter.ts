import { decodeBase58 } from '../../src/base58/base58.ts';
import type { AccountState } from '../accounts.ts';
import { isInitializedTokenAccount } from '../token.ts';
import {
  base58Problem,
  base64Problem,
  configOf,
  invalidParams,
  naturalOf,
  oneOf,
  sequenceOf,
  stringOf,
} from './params.ts';

/** Yellowstone has the same limits. */
export const MAX_FILTERS = 4;
export const MAX_MEMCMP_BYTES = 128;
/** Maximum length of 128 bytes in each encoding. Longer text is refused before it is decoded. */
export const MAX_MEMCMP_BASE58 = 175;
export const MAX_MEMCMP_BASE64 = 172;
/** `binary` is an old name of base58. */
const MEMCMP_ENCODINGS = ['base58', 'binary', 'base64', 'bytes'] as const;

export type AccountFilter =
  | { readonly kind: 'dataSize'; readonly size: number }
  | { readonly kind: 'memcmp'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'tokenAccountState' };

/**
 * Parses the `filters` of getProgramAccounts and programSubscribe; missing means no filter.
 *
 * @throws RpcError with Agave's message if they are too many, too large or unknown
 */
export function parseFilters(value: unknown): AccountFilter[] {
  if (value === undefined || value === null) return [];
  const filters = sequenceOf(value);
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  return filters.map(parseFilter);
}

/** Whether the account matches all filters. */
export function matches(filters: readonly AccountFilter[], account: Pick<AccountState, 'data'>): boolean {
  return filters.every((filter) => matchesFilter(filter, account.data));
}

function matchesFilter(filter: AccountFilter, data: Uint8Array): boolean {
  switch (filter.kind) {
    case 'dataSize':
      return data.length === filter.size;
    case 'memcmp':
      return hasBytesAt(data, filter.offset, filter.bytes);
    case 'tokenAccountState':
      return isInitializedTokenAccount(data);
  }
}

function parseFilter(value: unknown): AccountFilter {
  if (value === 'tokenAccountState') return { kind: 'tokenAccountState' };
  const [entry, ...others] = Object.entries(configOf(value));
  if (!entry || others.length > 0) throw invalidParams('Invalid params: expected map with a single key.');
  const [kind, content] = entry;
  if (kind === 'dataSize') return { kind, size: naturalOf(content) };
  if (kind === 'memcmp') return parseMemcmp(content);
  if (kind === 'tokenAccountState') return { kind };
  throw invalidParams(
    `Invalid params: unknown variant \`${kind}\`, expected one of \`dataSize\`, \`memcmp\`, \`tokenAccountState\`.`,
  );
}

function parseMemcmp(content: unknown): AccountFilter {
  const { offset, bytes, encoding } = configOf(content);
  return { kind: 'memcmp', offset: naturalOf(offset), bytes: memcmpBytes(bytes, encoding) };
}

function memcmpBytes(bytes: unknown, encoding: unknown): Uint8Array {
  if (Array.isArray(bytes)) return checkSize(Uint8Array.from(bytes, byteOf));
  const text = stringOf(bytes);
  if (oneOf(encoding, MEMCMP_ENCODINGS, 'base58') === 'base64') {
    if (text.length > MAX_MEMCMP_BASE64) throw tooLarge();
    const decoded = Buffer.from(text, 'base64');
    const problem = base64Problem(text, decoded);
    if (problem) throw invalidParams(`Invalid param: Base64DecodeError(${problem})`);
    return checkSize(decoded);
  }
  if (text.length > MAX_MEMCMP_BASE58) throw tooLarge();
  const problem = base58Problem(text);
  if (problem) throw invalidParams(`Invalid param: Base58DecodeError(${problem})`);
  return checkSize(decodeBase58(text));
}

function byteOf(value: unknown): number {
  const byte = naturalOf(value);
  if (byte > 255) throw invalidParams(`Invalid params: invalid value: integer \`${byte}\`, expected u8.`);
  return byte;
}

function checkSize(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_MEMCMP_BYTES) throw tooLarge();
  return bytes;
}

function hasBytesAt(data: Uint8Array, offset: number, bytes: Uint8Array): boolean {
  if (offset + bytes.length > data.length) return false;
  for (let i = 0; i < bytes.length; i += 1) if (data[offset + i] !== bytes[i]) return false;
  return true;
}

function tooLarge(): Error {
  return invalidParams('Invalid param: DataTooLarge');
}
