import { createHash, createPrivateKey, createPublicKey, randomInt, sign } from 'node:crypto';
import { type Address, getCompiledTransactionMessageEncoder } from '@solana/kit';
import { encodeBase58 } from '../../src/base58/base58.ts';
import { SYSTEM_PROGRAM } from '../accounts.ts';
import { addressOf } from '../address-bytes.ts';
import type { Network } from '../network.ts';
import { COMPUTE_BUDGET_PROGRAM, parseTransaction } from '../transaction.ts';

const FAUCET_LAMPORTS = 1_000_000_000n * 1_000_000_000n;
/** DER prefix of a 32-byte Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
/**
 * Units that the two instructions need. Each airdrop has a different number of additional units, so
 * that equal airdrops have different signatures.
 */
const MIN_COMPUTE_UNITS = 1_000;
const MAX_EXTRA_UNITS = 1_000_000;

const messageEncoder = getCompiledTransactionMessageEncoder();

/** The wallet that airdrops come from. */
export interface Faucet {
  readonly address: Address;
  /** Sends a signed transfer and returns its signature, a new one each time. */
  airdrop(to: Address, lamports: bigint, blockhash: string): string;
}

/** Creates the network's faucet, which has a fixed key, and funds its account if there is none. */
export function createFaucet(network: Network): Faucet {
  const seed = createHash('sha256').update('dues localnet faucet').digest();
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  const address = addressOf(publicKey);
  if (!network.getAccount(address, 'processed')) {
    network.setAccount(address, {
      lamports: FAUCET_LAMPORTS,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
    });
  }
  let extraUnits = randomInt(MAX_EXTRA_UNITS);
  return {
    address,
    airdrop(to, lamports, blockhash) {
      extraUnits = (extraUnits + 1) % MAX_EXTRA_UNITS;
      const message = encodeTransfer(address, to, lamports, blockhash, MIN_COMPUTE_UNITS + extraUnits);
      const signature = sign(null, message, key);
      network.land(parseTransaction(Buffer.concat([Uint8Array.of(1), signature, message])));
      return encodeBase58(signature);
    },
  };
}

function encodeTransfer(
  from: Address,
  to: Address,
  lamports: bigint,
  blockhash: string,
  units: number,
): Uint8Array {
  const limit = Buffer.alloc(5);
  limit.writeUInt8(2, 0);
  limit.writeUInt32LE(units, 1);
  const transfer = Buffer.alloc(12);
  transfer.writeUInt32LE(2, 0);
  transfer.writeBigUInt64LE(lamports, 4);
  const others = [to, SYSTEM_PROGRAM, COMPUTE_BUDGET_PROGRAM].filter(isFirstOccurrence);
  const staticAccounts = [from, ...others.filter((account) => account !== from)];
  const indexOf = (account: Address) => staticAccounts.indexOf(account);
  return messageEncoder.encode({
    version: 'legacy',
    header: {
      numSignerAccounts: 1,
      numReadonlySignerAccounts: 0,
      numReadonlyNonSignerAccounts: 2,
    },
    staticAccounts,
    lifetimeToken: blockhash,
    instructions: [
      { programAddressIndex: indexOf(COMPUTE_BUDGET_PROGRAM), data: limit },
      { programAddressIndex: indexOf(SYSTEM_PROGRAM), accountIndices: [0, indexOf(to)], data: transfer },
    ],
  }) as Uint8Array;
}

function isFirstOccurrence<T>(value: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(value) === index;
}
