import { encodeBase58 } from '../../src/base58/base58.ts';
import type { Bytes } from './wallet-standard.ts';

const STORE = 'dues-local-wallet';
const SEED_BYTES = 32;
/** DER prefix of a 32-byte Ed25519 private key (RFC 8410). */
const PKCS8_PREFIX = [48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];

/** An account whose key the wallet has. */
export interface Account {
  readonly name: string;
  readonly address: string;
  readonly publicKey: Bytes;
  sign(bytes: Bytes): Promise<Bytes>;
}

/** The accounts that the browser stores for the pages of one origin. */
interface StoredAccounts {
  /** Key pairs of 64 bytes in base64: private key, public key. */
  readonly keyPairs: readonly string[];
  /** The account that pages of this origin are connected to. */
  readonly connected?: string;
}

/** The accounts that this browser created, oldest first. */
export async function readAccounts(): Promise<Account[]> {
  return Promise.all(readStored().keyPairs.map((keyPair, index) => importAccount(nameOf(index), keyPair)));
}

/** Creates an account and stores its key in the browser. */
export async function createAccount(): Promise<Account> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const [pkcs8, publicKey] = await Promise.all([
    crypto.subtle.exportKey('pkcs8', pair.privateKey),
    crypto.subtle.exportKey('raw', pair.publicKey),
  ]);
  const seed = new Uint8Array(pkcs8).subarray(PKCS8_PREFIX.length);
  const keyPair = btoa(String.fromCharCode(...seed, ...new Uint8Array(publicKey)));
  const { keyPairs } = readStored();
  writeStored({ ...readStored(), keyPairs: [...keyPairs, keyPair] });
  return importAccount(nameOf(keyPairs.length), keyPair);
}

/** @param keyPair 64 bytes in base64: private key, public key */
export async function importAccount(name: string, keyPair: string): Promise<Account> {
  const bytes = Uint8Array.from(atob(keyPair), (character) => character.charCodeAt(0));
  const pkcs8 = Uint8Array.from([...PKCS8_PREFIX, ...bytes.subarray(0, SEED_BYTES)]);
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']);
  const publicKey = bytes.slice(SEED_BYTES);
  return {
    name,
    address: encodeBase58(publicKey),
    publicKey,
    sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, message)),
  };
}

/** The address that pages of this origin are connected to. */
export function connectedAddress(): string | undefined {
  return readStored().connected;
}

/** Stores the address that pages of this origin are connected to; undefined for none. */
export function storeConnected(address: string | undefined): void {
  const { keyPairs } = readStored();
  writeStored({ keyPairs, ...(address !== undefined && { connected: address }) });
}

function nameOf(index: number): string {
  return `Test account ${index + 1}`;
}

/** Holds the accounts of pages that may not use the browser's storage. */
let inMemory: StoredAccounts = { keyPairs: [] };

function readStored(): StoredAccounts {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? 'null') ?? inMemory;
  } catch {
    return inMemory;
  }
}

function writeStored(next: StoredAccounts): void {
  inMemory = next;
  try {
    localStorage.setItem(STORE, JSON.stringify(next));
  } catch {
    console.warn(
      'dues local wallet: the browser does not store the accounts. They exist until this page is closed.',
    );
  }
}
