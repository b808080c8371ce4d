import { createPrivateKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import {
  type Address,
  appendTransactionMessageInstruction,
  type Blockhash,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  type KeyPairSigner,
  pipe,
  type ReadonlyUint8Array,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Signs SOL transfers fast enough not to affect a measurement: the message is built once per call,
 * and only its amount changes.
 */
export class TransferSigner {
  readonly address: Address;
  readonly #signer: KeyPairSigner;
  readonly #key: KeyObject;

  private constructor(signer: KeyPairSigner, key: KeyObject) {
    this.address = signer.address;
    this.#signer = signer;
    this.#key = key;
  }

  static async create(): Promise<TransferSigner> {
    const seed = randomBytes(32);
    const der = Buffer.concat([PKCS8_ED25519, seed]);
    return new TransferSigner(
      await createKeyPairSignerFromPrivateKeyBytes(seed),
      createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    );
  }

  /** Signs `count` different transactions. Returns their wire bytes in base64. */
  sign(count: number, destination: Address, blockhash: string, firstAmount: number): string[] {
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (m) => setTransactionMessageFeePayer(this.address, m),
      (m) =>
        setTransactionMessageLifetimeUsingBlockhash(
          { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
          m,
        ),
      (m) =>
        appendTransactionMessageInstruction(
          getTransferSolInstruction({ source: this.#signer, destination, amount: 1n }),
          m,
        ),
    );
    const bytes = Buffer.from(compileTransaction(message).messageBytes as ReadonlyUint8Array as Uint8Array);
    // The amount is at the end of the instruction's data, followed by the empty list of lookup
    // tables.
    const amountAt = bytes.length - 1 - 8;
    return Array.from({ length: count }, (_, index) => {
      bytes.writeBigUInt64LE(BigInt(firstAmount + index), amountAt);
      return Buffer.concat([Buffer.from([1]), sign(null, bytes, this.#key), bytes]).toString('base64');
    });
  }
}
