import {
  type Address,
  createSolanaRpc,
  generateKeyPairSigner,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit';
import {
  Connection,
  Keypair,
  type RpcResponseAndContext,
  type SignatureResult,
  type TransactionConfirmationStrategy,
} from '@solana/web3.js';
import { onTestFinished } from 'vitest';
import { Network } from '../../../localnet/network.ts';
import type { NetworkOptions } from '../../../localnet/network-options.ts';
import type { RpcMethods } from '../../../localnet/rpc/method.ts';
import { startRpcServer } from '../../../localnet/rpc.ts';
import type { TransactionVersion } from '../../../localnet/transaction.ts';
import {
  fundedWallet,
  signedTransaction,
  signedTransfer,
  writeAccount,
} from '../../../tools/world/wallet.ts';
import { callRpc, type RpcAnswer } from '../../support/json-rpc.ts';

export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr' as Address;
export const ONE_SOL = 1_000_000_000n;

/** A Connection that polls for confirmations, because these tests have no WebSocket server. */
class PollingConnection extends Connection {
  override async confirmTransaction(
    strategy: TransactionConfirmationStrategy | string,
  ): Promise<RpcResponseAndContext<SignatureResult>> {
    const signature = typeof strategy === 'string' ? strategy : (strategy as { signature: string }).signature;
    const { context, value } = await this.getSignatureStatuses([signature]);
    if (!value[0]) throw new Error(`${signature} did not land`);
    return { context, value: { err: value[0].err } };
  }
}

/** A network with its RPC, a wallet with SOL, and the clients that dues and merchants use. */
export async function startWorld(options: NetworkOptions & { methods?: RpcMethods } = {}) {
  const network = new Network({ slotMs: 0, ...options });
  const payer = await fundedWallet(network);
  finalizeAll(network);
  const { methods } = options;
  const server = await startRpcServer(network, { host: '127.0.0.1', port: 0, ...(methods && { methods }) });
  onTestFinished(() => server.close());
  const url = `http://127.0.0.1:${server.port}`;

  const sendWire = (wire: Uint8Array, config: object = {}): Promise<RpcAnswer<string>> =>
    callRpc<string>(url, 'sendTransaction', [
      base64(wire),
      { encoding: 'base64', preflightCommitment: 'confirmed', ...config },
    ]);
  const landWire = async (wire: Uint8Array): Promise<string> => {
    const { result, error } = await sendWire(wire, { skipPreflight: true });
    if (!result) throw new Error(`the transaction was refused: ${error?.message}`);
    return result;
  };
  return {
    network,
    payer,
    server,
    url,
    kit: createSolanaRpc(url),
    web3: new PollingConnection(url, 'confirmed'),
    call: <T>(method: string, ...params: unknown[]) => callRpc<T>(url, method, params),
    /** Returns the result of a call that must succeed. */
    ask: async <T>(method: string, ...params: unknown[]): Promise<T> => {
      const { result, error } = await callRpc<T>(url, method, params);
      if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
      return result as T;
    },
    /** Returns the error of a call that must fail. */
    refusal: async (method: string, ...params: unknown[]) => {
      const { error } = await callRpc(url, method, params);
      if (!error) throw new Error(`${method} succeeded`);
      return error;
    },
    sendWire,
    /** Lands a transfer of SOL. Returns its signature. */
    transfer: async (to: Address, lamports = ONE_SOL, version: TransactionVersion = 0): Promise<string> =>
      landWire(await signedTransfer(network, payer, to, lamports, version)),
    /** Lands instructions that `signer` signs, successful or not. Returns the signature. */
    land: async (
      instructions: readonly Instruction[],
      { version = 0, signer = payer }: { version?: TransactionVersion; signer?: KeyPairSigner } = {},
    ): Promise<string> => {
      const { blockhash } = network.latestBlockhash('confirmed');
      return landWire(await signedTransaction(signer, instructions, { blockhash, version }));
    },
    /** Creates a web3.js keypair with SOL. */
    fundedKeypair: (): Keypair => {
      const keypair = Keypair.generate();
      writeAccount(network, keypair.publicKey.toBase58() as Address, { lamports: 100n * ONE_SOL });
      finalizeAll(network);
      return keypair;
    },
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Advances the chain until all transactions and writes are finalized. */
export function finalizeAll(network: Network): void {
  const slot = network.slot('processed');
  while (network.slot('finalized') < slot) network.tick();
}

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

export async function newAddress(): Promise<Address> {
  return (await generateKeyPairSigner()).address;
}

/** Signs a transfer of more than the payer has. It fails in its program. */
export async function signOverdraft({ network, payer }: World): Promise<Uint8Array> {
  return signedTransfer(network, payer, await newAddress(), 10n ** 15n);
}

/** Changes one byte in the first signature. */
export function withBadSignature(wire: Uint8Array): Uint8Array {
  return wire.with(20, (wire[20] as number) ^ 1);
}

/** The fields of the simulation of a transaction that is refused before it runs. */
export const NOTHING_RAN = {
  accounts: null,
  innerInstructions: null,
  logs: [],
  replacementBlockhash: null,
  returnData: null,
  unitsConsumed: 0,
};

/** A world in which a transfer to a new wallet has landed. */
export async function startTransferWorld({ version = 0 }: { version?: TransactionVersion } = {}) {
  const world = await startWorld();
  const receiver = await newAddress();
  return { ...world, receiver, signature: await world.transfer(receiver, ONE_SOL, version) };
}

/** Lands a transfer that fails in its program. Returns its signature. */
export async function landFailure(world: World): Promise<string> {
  const { result } = await world.sendWire(await signOverdraft(world), { skipPreflight: true });
  return result as string;
}

export function memo(text: string): Instruction {
  return { programAddress: MEMO_PROGRAM, data: new TextEncoder().encode(text) };
}

/** Another signature, which no transaction has. */
export function otherSignature(signature: string): string {
  return signature.replace(/.$/, (last) => (last === '2' ? '3' : '2'));
}
