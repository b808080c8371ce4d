import type { Address } from '@solana/kit';
import type { AccountState, AccountWrite } from '../accounts.ts';
import { addressBytes, addressOf as addressOfKey } from '../address-bytes.ts';
import type { Network } from '../network.ts';
import { isMint, isTokenAccount, isTokenProgram, mintDecimals } from '../token.ts';
import { type AccountFilter, matches } from './account-filter.ts';
import { encodeWithAddresses, encodingOptionsOf } from './account-methods.ts';
import { type ReadContext, readContext, withContext } from './context.ts';
import type { RpcMethods } from './method.ts';
import { addressOf, configOf, invalidParams, withParams } from './params.ts';
import { uiTokenAmount } from './ui-token-amount.ts';

const LARGEST_ACCOUNTS = 20;
const MINT_OFFSET = 0;
const OWNER_OFFSET = 32;
const AMOUNT_OFFSET = 64;
const DELEGATE_OFFSET = 72;
const SUPPLY_OFFSET = 36;

export const tokenMethods: RpcMethods = {
  getTokenAccountBalance: withParams(1, 2, (network, [addressText, config]) => {
    const address = addressOf(addressText);
    const context = readContext(network, config);
    const account = readAccount(network, context, address);
    if (!isTokenAccount(account) || account.data[108] === 0) {
      throw invalidParams('Invalid param: not a Token account');
    }
    const mint = readMint(network, context, keyAt(account.data, MINT_OFFSET));
    return withContext(context, uiTokenAmount(u64At(account.data, AMOUNT_OFFSET), mintDecimals(mint)));
  }),

  getTokenSupply: withParams(1, 2, (network, [mintText, config]) => {
    const address = addressOf(mintText);
    const context = readContext(network, config);
    const mint = readAccount(network, context, address);
    if (!isTokenProgram(mint.owner)) throw invalidParams('Invalid param: not a Token mint');
    if (!isMint(mint)) throw invalidParams('Invalid param: mint could not be unpacked');
    return withContext(context, uiTokenAmount(u64At(mint.data, SUPPLY_OFFSET), mintDecimals(mint)));
  }),

  getTokenLargestAccounts: withParams(1, 2, (network, [mintText, config]) => {
    const address = addressOf(mintText);
    const context = readContext(network, config);
    const mint = readMint(network, context, address);
    const amountOf = ({ account }: AccountWrite) => u64At(account.data, AMOUNT_OFFSET);
    const largest = findTokenAccounts(network, context, mint.owner, [memcmp(MINT_OFFSET, address)])
      .sort((a, b) => Number(amountOf(b) - amountOf(a)))
      .slice(0, LARGEST_ACCOUNTS)
      .map((write) => ({ address: write.address, ...uiTokenAmount(amountOf(write), mintDecimals(mint)) }));
    return withContext(context, largest);
  }),

  getTokenAccountsByOwner: withParams(2, 3, (network, [ownerText, filter, config]) =>
    encodeTokenAccounts(network, [memcmp(OWNER_OFFSET, addressOf(ownerText))], filter, config),
  ),

  getTokenAccountsByDelegate: withParams(2, 3, (network, [delegateText, filter, config]) => {
    const hasDelegate = {
      kind: 'memcmp',
      offset: DELEGATE_OFFSET,
      bytes: Uint8Array.of(1, 0, 0, 0),
    } as const;
    const isDelegate = memcmp(DELEGATE_OFFSET + 4, addressOf(delegateText));
    return encodeTokenAccounts(network, [hasDelegate, isDelegate], filter, config);
  }),
};

function encodeTokenAccounts(
  network: Network,
  filters: readonly AccountFilter[],
  tokenFilter: unknown,
  config: unknown,
): unknown {
  const tokenSelector = configOf(tokenFilter);
  const mintAddress = 'mint' in tokenSelector ? addressOf(tokenSelector.mint) : null;
  if (!mintAddress && !('programId' in tokenSelector)) {
    throw invalidParams('Invalid params: expected one of `mint`, `programId`.');
  }
  const options = encodingOptionsOf(config, 'binary');
  const context = readContext(network, config);
  const program = mintAddress
    ? readMint(network, context, mintAddress).owner
    : addressOf(tokenSelector.programId);
  if (!isTokenProgram(program)) throw invalidParams('Invalid param: unrecognized Token program id');
  const accountFilters = mintAddress ? [...filters, memcmp(MINT_OFFSET, mintAddress)] : filters;
  return withContext(
    context,
    encodeWithAddresses(
      network,
      context,
      findTokenAccounts(network, context, program, accountFilters),
      options,
    ),
  );
}

function findTokenAccounts(
  network: Network,
  { commitment }: ReadContext,
  program: Address,
  filters: readonly AccountFilter[],
): AccountWrite[] {
  const allFilters: AccountFilter[] = [...filters, { kind: 'tokenAccountState' }];
  const found: AccountWrite[] = [];
  for (const write of network.accountsOwnedBy(program, commitment)) {
    if (matches(allFilters, write.account)) found.push(write);
  }
  return found;
}

function readAccount(network: Network, { commitment }: ReadContext, address: Address): AccountState {
  const account = network.getAccount(address, commitment);
  if (!account) throw invalidParams('Invalid param: could not find account');
  return account;
}

function readMint(network: Network, { commitment }: ReadContext, address: Address): AccountState {
  const mint = network.getAccount(address, commitment);
  if (!mint) throw invalidParams('Invalid param: could not find mint');
  if (!isMint(mint)) throw invalidParams('Invalid param: not a Token mint');
  return mint;
}

function memcmp(offset: number, address: Address): AccountFilter {
  return { kind: 'memcmp', offset, bytes: addressBytes(address) };
}

function keyAt(data: Uint8Array, offset: number): Address {
  return addressOfKey(data.subarray(offset, offset + 32));
}

function u64At(data: Uint8Array, offset: number): bigint {
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(offset, true);
}
