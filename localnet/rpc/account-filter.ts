import { getBase58Encoder } from '@solana/kit';
import type { AccountState } from '../accounts.ts';
import { INVALID_PARAMS, RpcError } from './method.ts';

const MAX_FILTERS = 4;
const MAX_MEMCMP_BYTES = 128;
/** What 128 bytes weigh at most in each encoding; longer text is refused before it is decoded. */
const MAX_MEMCMP_BASE58 = 175;
const MAX_MEMCMP_BASE64 = 172;
const TOKEN_ACCOUNT_BYTES = 165;
const MULTISIG_BYTES = 355;
const base58 = getBase58Encoder();

export type AccountFilter =
  | { readonly kind: 'dataSize'; readonly size: number }
  | { readonly kind: 'memcmp'; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'tokenAccountState' };

/**
 * The `filters` of getProgramAccounts and programSubscribe, checked; nothing asked for is no filter.
 *
 * @throws RpcError in Agave's words where they are too many, too large or of no known kind
 */
export function parseFilters(value: unknown): AccountFilter[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw refused(`Invalid params: invalid type: expected a sequence.`);
  if (value.length > MAX_FILTERS) throw refused(`Too many filters provided; max ${MAX_FILTERS}`);
  return value.map(parseFilter);
}

/** True where the account passes all filters. */
export function matches(filters: readonly AccountFilter[], { data }: Pick<AccountState, 'data'>): boolean {
  return filters.every((filter) => {
    switch (filter.kind) {
      case 'dataSize':
        return data.length === filter.size;
      case 'memcmp':
        return hasBytesAt(data, filter.offset, filter.bytes);
      case 'tokenAccountState':
        return isInitializedTokenAccount(data);
    }
  });
}

function parseFilter(value: unknown): AccountFilter {
  if (value === 'tokenAccountState') return { kind: 'tokenAccountState' };
  if (typeof value !== 'object' || value === null) {
    throw refused('Invalid params: invalid type: expected a filter.');
  }
  const entries = Object.entries(value);
  const [kind, content] = entries[0] ?? [];
  if (entries.length !== 1) throw refused('Invalid params: expected a filter with a single key.');
  if (kind === 'dataSize') return { kind, size: naturalNumber(content) };
  if (kind === 'memcmp') return parseMemcmp(content);
  if (kind === 'tokenAccountState') return { kind };
  throw refused(
    `Invalid params: unknown variant \`${kind}\`, expected one of \`dataSize\`, \`memcmp\`, \`tokenAccountState\`.`,
  );
}

function parseMemcmp(content: unknown): AccountFilter {
  if (typeof content !== 'object' || content === null)
    throw refused('Invalid params: invalid memcmp filter.');
  const { offset, bytes, encoding } = content as { offset?: unknown; bytes?: unknown; encoding?: unknown };
  return { kind: 'memcmp', offset: naturalNumber(offset), bytes: memcmpBytes(bytes, encoding ?? 'base58') };
}

function memcmpBytes(bytes: unknown, encoding: unknown): Uint8Array {
  if (Array.isArray(bytes) && bytes.every((byte) => Number.isInteger(byte) && byte >= 0 && byte < 256)) {
    return sized(Uint8Array.from(bytes));
  }
  if (typeof bytes !== 'string') throw refused('Invalid params: memcmp filter without bytes.');
  if (encoding === 'base58' || encoding === 'binary') {
    if (bytes.length > MAX_MEMCMP_BASE58) throw tooLarge();
    try {
      return sized(base58.encode(bytes) as Uint8Array);
    } catch (cause) {
      if (cause instanceof RpcError) throw cause;
      throw refused('Invalid param: base58 decode error');
    }
  }
  if (encoding === 'base64') {
    if (bytes.length > MAX_MEMCMP_BASE64) throw tooLarge();
    const decoded = Buffer.from(bytes, 'base64');
    if (decoded.toString('base64') !== bytes) throw refused('Invalid param: base64 decode error');
    return sized(decoded);
  }
  throw refused(
    `Invalid params: unknown variant \`${encoding}\`, expected one of \`base58\`, \`base64\`, \`bytes\`.`,
  );
}

function sized(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_MEMCMP_BYTES) throw tooLarge();
  return bytes;
}

function naturalNumber(value: unknown): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) {
    throw refused(`Invalid params: invalid value: ${JSON.stringify(value)}, expected u64.`);
  }
  return value as number;
}

function hasBytesAt(data: Uint8Array, offset: number, bytes: Uint8Array): boolean {
  if (offset + bytes.length > data.length) return false;
  for (let i = 0; i < bytes.length; i += 1) if (data[offset + i] !== bytes[i]) return false;
  return true;
}

// Agave looks at the data alone, not at the owner: a plain initialized token account, or an extended one.
function isInitializedTokenAccount(data: Uint8Array): boolean {
  const initialized = data[108] === 1 || data[108] === 2;
  if (data.length === TOKEN_ACCOUNT_BYTES) return initialized;
  const extended = data.length > TOKEN_ACCOUNT_BYTES && data.length !== MULTISIG_BYTES;
  return extended && data[TOKEN_ACCOUNT_BYTES] === 2 && initialized;
}

function tooLarge(): RpcError {
  return refused(`Invalid param: encoded binary data should be less than ${MAX_MEMCMP_BYTES + 1} bytes`);
}

function refused(message: string): RpcError {
  return new RpcError(INVALID_PARAMS, message);
}
