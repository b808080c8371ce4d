import type { Address } from '@solana/kit';
import type { AccountState } from '../accounts.ts';
import { addressOf } from '../address-bytes.ts';
import {
  isMint,
  isTokenAccount,
  MULTISIG_BYTES,
  mintDecimals,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../token.ts';
import { tokenExtensionsOf } from './token-extensions.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;
const PROGRAM_NAMES = new Map<Address, string>([
  [TOKEN_PROGRAM, 'spl-token'],
  [TOKEN_2022_PROGRAM, 'spl-token-2022'],
]);

/**
 * A token account, mint or multisig in the form of `jsonParsed`; null if it is none of them or not
 * initialized.
 */
export function parseTokenProgramAccount(
  account: AccountState,
  readMint: (address: Address) => AccountState | null,
): unknown {
  const program = PROGRAM_NAMES.get(account.owner);
  const parsed = program && parse(account, readMint);
  return parsed ? { program, parsed, space: account.data.length } : null;
}

function parse(account: AccountState, readMint: (address: Address) => AccountState | null): unknown {
  const { data } = account;
  // The length decides first, as in the token program: its layouts differ in length.
  if (data.length === MULTISIG_BYTES) return parseMultisig(data);
  if (isTokenAccount(account)) return parseTokenAccount(data, readMint);
  return isMint(account) ? parseMint(data) : null;
}

function parseTokenAccount(data: Uint8Array, readMint: (address: Address) => AccountState | null): unknown {
  const state = ACCOUNT_STATES[data[108] ?? 0];
  const mintAddress = addressAt(data, 0);
  const mint = readMint(mintAddress);
  if (!state || state === 'uninitialized' || !mint || !isMint(mint)) return null;
  const decimals = mintDecimals(mint);
  const delegate = optionalAddressAt(data, 72);
  const closeAuthority = optionalAddressAt(data, 129);
  const rentExemptReserve = u32At(data, 109) === 1 ? u64At(data, 113) : null;
  const extensions = tokenExtensionsOf(data);
  return {
    type: 'account',
    info: {
      mint: mintAddress,
      owner: addressAt(data, 32),
      tokenAmount: uiTokenAmount(u64At(data, 64), decimals),
      ...(delegate && { delegate }),
      state,
      isNative: rentExemptReserve !== null,
      ...(rentExemptReserve !== null && { rentExemptReserve: uiTokenAmount(rentExemptReserve, decimals) }),
      ...(delegate && { delegatedAmount: uiTokenAmount(u64At(data, 121), decimals) }),
      ...(closeAuthority && { closeAuthority }),
      ...(extensions.length > 0 && { extensions }),
    },
  };
}

function parseMint(data: Uint8Array): unknown {
  if (data[45] !== 1) return null;
  const extensions = tokenExtensionsOf(data);
  return {
    type: 'mint',
    info: {
      mintAuthority: optionalAddressAt(data, 0),
      supply: u64At(data, 36).toString(),
      decimals: data[44],
      isInitialized: true,
      freezeAuthority: optionalAddressAt(data, 46),
      ...(extensions.length > 0 && { extensions }),
    },
  };
}

function parseMultisig(data: Uint8Array): unknown {
  const [numRequiredSigners, numValidSigners = 0, initialized] = data;
  if (initialized !== 1) return null;
  const count = Math.min(numValidSigners, 11);
  return {
    type: 'multisig',
    info: {
      numRequiredSigners,
      numValidSigners,
      isInitialized: true,
      signers: Array.from({ length: count }, (_, index) => addressAt(data, 3 + 32 * index)),
    },
  };
}

function addressAt(data: Uint8Array, offset: number): Address {
  return addressOf(data.subarray(offset, offset + 32));
}

function optionalAddressAt(data: Uint8Array, offset: number): Address | null {
  return u32At(data, offset) === 1 ? addressAt(data, offset + 4) : null;
}

function u32At(data: Uint8Array, offset: number): number {
  return new DataView(data.buffer, data.byteOffset).getUint32(offset, true);
}

function u64At(data: Uint8Array, offset: number): bigint {
  return new DataView(data.buffer, data.byteOffset).getBigUint64(offset, true);
}
