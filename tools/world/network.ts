import {
  type Address,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
  type Signature,
} from '@solana/kit';
import { getMintEncoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { localCluster } from '../../bin/local-cluster.ts';
import { type LocalnetOptions, startLocalnet } from '../../localnet/localnet.ts';
import { createChain } from '../../src/chain/create-chain.ts';
import { latestBlockhash, sendWire } from '../../src/chain/rpc/send.ts';
import { waitForSignature } from '../../src/chain/rpc/signature-outcomes.ts';
import type { ClusterConfig } from '../../src/config/cluster-config.ts';
import { LocalnetClient } from './localnet-client.ts';
import {
  fundedWallet,
  signAsWallet,
  signedTransaction,
  type WrittenAccount,
  writeAccount,
} from './wallet.ts';

/** The key pair with which dues collects on every local network of a world. It is no secret. */
export const COLLECTOR_KEY = Uint8Array.from(
  Buffer.from(
    '0101010101010101010101010101010101010101010101010101010101010101' +
      '8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c',
    'hex',
  ),
);
export const COLLECTOR = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9' as Address;
const LAMPORTS = 1_000_000_000_000n;
/** Only ends a wait that would hang. */
const LANDS_WITHIN_MS = 300_000;

export interface NetworkSettings extends LocalnetOptions {
  /** The collector's SOL (default 1,000). */
  readonly collectorLamports?: bigint;
  /** Settings of the cluster that differ from those of a local network. */
  readonly cluster?: Partial<ClusterConfig>;
}

/** A mint that a world creates. */
export interface NewMint {
  /** Default: a new one. */
  readonly address?: Address;
  /** Default 6. */
  readonly decimals?: number;
  readonly supply?: bigint;
  readonly mintAuthority?: Address | null;
  readonly freezeAuthority?: Address | null;
  /** Default: the program of plain tokens. */
  readonly tokenProgram?: Address;
  /** The bytes after the plain fields. Only mints of Token-2022 have them. */
  readonly extensions?: Uint8Array;
}

export type WorldNetwork = Awaited<ReturnType<typeof startNetwork>>;

/**
 * Starts a local network in this process, with a chain whose collector has SOL. With `slotMs: 0`,
 * whatever changes it makes a slot, and so does not wait.
 */
export async function startNetwork({
  collectorLamports = LAMPORTS,
  cluster: settings,
  ...options
}: NetworkSettings = {}) {
  const localnet = await startLocalnet(options);
  const { network, rpcUrl } = localnet;
  const makesSlots = options.slotMs === 0;
  const client = new LocalnetClient(rpcUrl);
  const cluster: ClusterConfig = { ...localCluster(localnet, COLLECTOR_KEY), ...settings };
  const chain = await createChain('TEST', cluster);
  if (collectorLamports > 0n) write(COLLECTOR, { lamports: collectorLamports });

  /** Writes an account; by default a wallet with one SOL. */
  function write(account: Address, content: WrittenAccount = {}): void {
    writeAccount(network, account, content);
    if (makesSlots) network.tick();
  }

  /** Calls a method that changes the network's state. */
  async function cheat(method: string, params: unknown[]): Promise<void> {
    await client.call(method, params);
    if (makesSlots) network.tick();
  }

  /** Sends a signed transaction, and waits until it has landed without an error. */
  async function send(wire: Uint8Array): Promise<Signature> {
    const signature = await sendWire(chain, wire);
    const timeoutMs = makesSlots ? 0 : LANDS_WITHIN_MS;
    const outcome = await waitForSignature(chain, signature, { timeoutMs });
    if (outcome.state !== 'landed' || outcome.err) {
      const reason = JSON.stringify(outcome, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
      throw new Error(`${signature} did not land: ${reason}`);
    }
    return signature;
  }

  return {
    localnet,
    network,
    rpcUrl,
    client,
    cluster,
    chain,
    cheat,
    send,
    /** Signs a transaction in base64 as a wallet does, and lands it. */
    async sign(wallet: KeyPairSigner, transaction: string): Promise<Signature> {
      return send((await signAsWallet(wallet, transaction)).wire);
    },
    /** Lands instructions of the test in one transaction. */
    async act(wallet: KeyPairSigner, ...instructions: Instruction[]): Promise<Signature> {
      const { blockhash } = await latestBlockhash(chain);
      return send(await signedTransaction(wallet, instructions, { blockhash }));
    },
    /** Sets a wallet's lamports. */
    fund(wallet: Address, lamports = LAMPORTS): void {
      write(wallet, { lamports });
    },
    writeAccount: write,
    /** Creates a wallet with SOL for its fees. */
    async newWallet(): Promise<KeyPairSigner> {
      const wallet = await fundedWallet(network);
      if (makesSlots) network.tick();
      return wallet;
    },
    setTokens: (owner: string, amount: bigint, mint: string = cluster.defaultMint) =>
      cheat('surfnet_setTokenAccount', [owner, mint, { amount: String(amount) }]),
    async newMint({ address, tokenProgram = TOKEN_PROGRAM_ADDRESS, extensions, ...fields }: NewMint = {}) {
      const mint = address ?? (await generateKeyPairSigner()).address;
      const plain = getMintEncoder().encode({
        mintAuthority: null,
        supply: 0n,
        decimals: 6,
        isInitialized: true,
        freezeAuthority: null,
        ...fields,
      });
      const data = Uint8Array.from([...plain, ...(extensions ?? [])]);
      write(mint, { lamports: 10_000_000n, owner: tokenProgram, data });
      if (!makesSlots) await client.untilBlocks(2);
      return mint;
    },
    /** Moves the chain's time forward. */
    travel: (seconds: number): Promise<void> =>
      cheat('surfnet_timeTravel', [
        { absoluteTimestamp: Math.ceil(network.clock.nowMs() + seconds * 1_000) },
      ]),
    async close(): Promise<void> {
      client.close();
      await localnet.close();
    },
  };
}
