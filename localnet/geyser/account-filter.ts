import type {
  SubscribeRequestFilterAccounts,
  SubscribeRequestFilterAccountsFilter,
} from '@triton-one/yellowstone-grpc';
import type { AccountWrite } from '../accounts.ts';
import {
  MAX_FILTERS,
  MAX_MEMCMP_BASE58,
  MAX_MEMCMP_BASE64,
  MAX_MEMCMP_BYTES,
} from '../rpc/account-filter.ts';
import { isInitializedTokenAccount } from '../token.ts';
import { addressSet, parseBase58, refuseCuckoo } from './filter-fields.ts';
import { InvalidFilter } from './invalid-filter.ts';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

type Test = (write: AccountWrite) => boolean;
type Memcmp = NonNullable<SubscribeRequestFilterAccountsFilter['memcmp']>;
type Lamports = NonNullable<SubscribeRequestFilterAccountsFilter['lamports']>;

/**
 * Whether a write matches an account filter: all given conditions must hold, and any listed account
 * or owner matches. The owner is the one after the write, so a closed account, which is owned by
 * the system program, does not match by owner.
 *
 * @throws InvalidFilter
 */
export function accountFilter(filter: SubscribeRequestFilterAccounts): Test {
  refuseCuckoo(filter.cuckooAccountsFilter);
  if (filter.filters.length > MAX_FILTERS) {
    throw new InvalidFilter(`Too many filters provided; max ${MAX_FILTERS}`);
  }
  if (filter.filters.filter(({ datasize }) => datasize !== undefined).length > 1) {
    throw new InvalidFilter('datasize used more than once');
  }
  const tests = filter.filters.map(stateTest);
  const { nonemptyTxnSignature } = filter;
  if (nonemptyTxnSignature !== undefined) {
    tests.push(({ signature }) => (signature !== null) === nonemptyTxnSignature);
  }
  // The cheapest and most selective test comes first.
  if (filter.account.length > 0) {
    const accounts = addressSet(filter.account);
    tests.unshift(({ address }) => accounts.has(address));
  }
  if (filter.owner.length > 0) {
    const owners = addressSet(filter.owner);
    tests.unshift(({ account }) => owners.has(account.owner));
  }
  return (write) => tests.every((test) => test(write));
}

function stateTest(filter: SubscribeRequestFilterAccountsFilter): Test {
  if (filter.memcmp) return memcmpTest(filter.memcmp);
  if (filter.lamports) return lamportsTest(filter.lamports);
  if (filter.datasize !== undefined) {
    const size = Number(filter.datasize);
    return ({ account }) => account.data.length === size;
  }
  if (filter.tokenAccountState === undefined) throw new InvalidFilter('filter should be defined');
  if (!filter.tokenAccountState) throw new InvalidFilter('token_account_state only allowed to be true');
  return ({ account }) => isInitializedTokenAccount(account.data);
}

function memcmpTest(memcmp: Memcmp): Test {
  const offset = Number(memcmp.offset);
  const expected = memcmpBytes(memcmp);
  if (expected.length > MAX_MEMCMP_BYTES) throw new InvalidFilter('data too large');
  return ({ account: { data } }) =>
    data.length >= offset + expected.length &&
    Buffer.compare(data.subarray(offset, offset + expected.length), expected) === 0;
}

function memcmpBytes({ bytes, base58, base64 }: Memcmp): Uint8Array {
  if (bytes) return bytes;
  if (base58 !== undefined) {
    if (base58.length > MAX_MEMCMP_BASE58) throw new InvalidFilter('data too large');
    const decoded = parseBase58(base58);
    if (!decoded) throw new InvalidFilter('invalid base58');
    return decoded;
  }
  if (base64 === undefined) throw new InvalidFilter('data for memcmp should be defined');
  if (base64.length > MAX_MEMCMP_BASE64) throw new InvalidFilter('data too large');
  if (!BASE64.test(base64)) throw new InvalidFilter('invalid base64');
  return Buffer.from(base64, 'base64');
}

function lamportsTest({ eq, ne, lt, gt }: Lamports): Test {
  const value = BigInt(eq ?? ne ?? lt ?? gt ?? -1);
  if (value < 0n) throw new InvalidFilter('cmp for lamports should be defined');
  if (eq !== undefined) return ({ account }) => account.lamports === value;
  if (ne !== undefined) return ({ account }) => account.lamports !== value;
  if (lt !== undefined) return ({ account }) => account.lamports < value;
  return ({ account }) => account.lamports > value;
}
