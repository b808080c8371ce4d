import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Encoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import type { AccountState } from '../../../localnet/accounts.ts';
import { SYSTEM_PROGRAM } from '../../../localnet/accounts.ts';
import type { Network } from '../../../localnet/network.ts';
import { type ParsedTransaction, parseTransaction } from '../../../localnet/transaction.ts';

export const SOME_PROGRAM = address('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44');
const base58 = getBase58Encoder();

/** Creates an address whose key is discarded, for an account that signs nothing. */
export async function newAddress(): Promise<Address> {
  return (await generateKeyPairSigner()).address;
}

export async function newWallet(network: Network, sol = 10): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  network.setAccount(wallet.address, accountOf({ lamports: BigInt(sol) * 1_000_000_000n }));
  return wallet;
}

export function accountOf(fields: Partial<AccountState>): AccountState {
  return {
    lamports: 1_000_000n,
    owner: SYSTEM_PROGRAM,
    data: new Uint8Array(),
    executable: false,
    ...fields,
  };
}

export function keyBytes(key: string): Uint8Array {
  return Uint8Array.from(base58.encode(key));
}

/** The bytes of an initialized SPL token account. */
export function tokenAccountData(mint: Address, owner: Address, amount: bigint): Uint8Array {
  const data = Buffer.alloc(165);
  data.set(keyBytes(mint), 0);
  data.set(keyBytes(owner), 32);
  data.writeBigUInt64LE(amount, 64);
  data[108] = 1;
  return data;
}

export function transfer(from: KeyPairSigner, to: Address, amount: bigint): Instruction {
  return getTransferSolInstruction({ source: from, destination: to, amount: lamports(amount) });
}

export interface BuildOptions {
  readonly version?: 'legacy' | 0 | 1;
  /** Addresses of a lookup table, in its order. */
  readonly lookupTable?: { address: Address; addresses: Address[] };
}

export async function buildTransaction(
  network: Network,
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  { version = 0, lookupTable }: BuildOptions = {},
): Promise<ParsedTransaction> {
  const { blockhash, lastValidBlockHeight } = network.latestBlockhash('confirmed');
  const lifetime = {
    blockhash: blockhash as Blockhash,
    lastValidBlockHeight: BigInt(lastValidBlockHeight),
  };
  const limited = setTransactionMessageLoadedAccountsDataSizeLimit(
    1_000_000,
    setTransactionMessageComputeUnitLimit(50_000, createTransactionMessage({ version: 1 })),
  );
  // The types of the versions differ, but they are built in the same way.
  const empty = (version === 1 ? limited : createTransactionMessage({ version })) as unknown as ReturnType<
    typeof createTransactionMessage<0>
  >;
  const message = appendTransactionMessageInstructions(
    instructions,
    setTransactionMessageLifetimeUsingBlockhash(lifetime, setTransactionMessageFeePayerSigner(payer, empty)),
  );
  const compressed = lookupTable
    ? compressTransactionMessageUsingAddressLookupTables(message, {
        [lookupTable.address]: lookupTable.addresses,
      })
    : message;
  const signed = await signTransactionMessageWithSigners(compressed);
  return parseTransaction(Uint8Array.from(getTransactionEncoder().encode(signed)));
}

/** Sends lamports; returns the signature. */
export async function pay(
  network: Network,
  from: KeyPairSigner,
  to: Address,
  amount = 1_000_000n,
  options: BuildOptions = {},
): Promise<string> {
  const transaction = await buildTransaction(network, from, [transfer(from, to, amount)], options);
  network.submit(transaction);
  return transaction.signatures[0] as string;
}
