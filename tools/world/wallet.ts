import {
  type Address,
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  type Signature,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  setTransactionMessageLoadedAccountsDataSizeLimit,
  signTransactionMessageWithSigners,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { SYSTEM_PROGRAM } from '../../localnet/accounts.ts';
import type { Network } from '../../localnet/network.ts';
import type { TransactionVersion } from '../../localnet/transaction.ts';

const ONE_SOL = 1_000_000_000n;

/** A new wallet with lamports on the network. */
export async function fundedWallet(network: Network, lamports = 100n * ONE_SOL): Promise<KeyPairSigner> {
  const wallet = await generateKeyPairSigner();
  writeAccount(network, wallet.address, { lamports });
  return wallet;
}

/** An account as no transaction can write it; by default a wallet with one SOL. */
export interface WrittenAccount {
  readonly lamports?: bigint;
  readonly owner?: Address;
  readonly data?: Uint8Array;
  readonly executable?: boolean;
}

/** Writes an account as a cheat code does. */
export function writeAccount(network: Network, address: Address, account: WrittenAccount = {}): void {
  const { lamports = ONE_SOL, owner = SYSTEM_PROGRAM, data = new Uint8Array(), executable = false } = account;
  network.setAccount(address, { lamports, owner, data, executable });
}

/** A signed wire transaction, as a wallet would send it. */
export async function signedTransaction(
  payer: KeyPairSigner,
  instructions: readonly Instruction[],
  { blockhash, version = 0 }: { blockhash: string; version?: TransactionVersion },
): Promise<Uint8Array> {
  const lifetime = { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n };
  if (version === 1) {
    const message = pipe(
      createTransactionMessage({ version: 1 }),
      (m) => setTransactionMessageFeePayerSigner(payer, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
      (m) => setTransactionMessageComputeUnitLimit(400_000, m),
      (m) => setTransactionMessageLoadedAccountsDataSizeLimit(1_000_000, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
    return getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)) as Uint8Array;
  }
  const message = pipe(
    createTransactionMessage({ version }),
    (m) => setTransactionMessageFeePayerSigner(payer, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(lifetime, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
  );
  return getTransactionEncoder().encode(await signTransactionMessageWithSigners(message)) as Uint8Array;
}

/** A signed transfer of SOL under the network's newest blockhash. */
export function signedTransfer(
  network: Network,
  from: KeyPairSigner,
  to: Address,
  lamports: bigint,
  version: TransactionVersion = 0,
): Promise<Uint8Array> {
  const transfer = getTransferSolInstruction({ source: from, destination: to, amount: lamports });
  const { blockhash } = network.latestBlockhash('confirmed');
  return signedTransaction(from, [transfer], { blockhash, version });
}

/** Signs a transaction in base64 as a wallet does. */
export async function signAsWallet(
  wallet: KeyPairSigner,
  transaction: string,
): Promise<{ wire: Uint8Array; signature: Signature }> {
  const unsigned = getTransactionDecoder().decode(getBase64Encoder().encode(transaction));
  const signedTransaction = await partiallySignTransaction([wallet.keyPair], unsigned);
  const wire = new Uint8Array(getBase64Encoder().encode(getBase64EncodedWireTransaction(signedTransaction)));
  return { wire, signature: getSignatureFromTransaction(signedTransaction) };
}
