import { generateKeyPairSigner } from '@solana/kit';
import { onTestFinished } from 'vitest';
import type { Commitment } from '../../../localnet/accounts.ts';
import { Network } from '../../../localnet/network.ts';
import type { NetworkOptions } from '../../../localnet/network-options.ts';
import { parseTransaction } from '../../../localnet/transaction.ts';
import { startWebSocketServer } from '../../../localnet/websocket.ts';
import { fundedWallet, signedTransfer } from '../../../tools/world/wallet.ts';
import { finalizeAll, ONE_SOL } from '../rpc/world.ts';
import { RawClient } from './raw-client.ts';

export const COMMITMENTS: readonly Commitment[] = ['processed', 'confirmed', 'finalized'];

/**
 * Starts a network whose slots advance only by `tick()`, with its WebSocket port and a funded
 * wallet.
 */
export async function startWorld(options: NetworkOptions & { maxBufferedBytes?: number } = {}) {
  const network = new Network(options);
  const payer = await fundedWallet(network);
  const { address: receiver } = await generateKeyPairSigner();
  finalizeAll(network);
  const { maxBufferedBytes } = options;
  const server = await startWebSocketServer(network, { host: '127.0.0.1', port: 0, maxBufferedBytes });
  onTestFinished(() => server.close());

  const signTransfer = async (lamports = ONE_SOL) =>
    parseTransaction(await signedTransfer(network, payer, receiver, lamports));
  return {
    network,
    payer,
    receiver,
    server,
    url: `ws://127.0.0.1:${server.port}`,
    connect: (path?: string) => RawClient.connect(server.port, path),
    signTransfer,
    /** Lands a transfer to the receiver. Returns its signature. */
    transfer: async (lamports?: bigint): Promise<string> => {
      const transaction = await signTransfer(lamports);
      network.submit(transaction);
      return transaction.signatures[0] as string;
    },
    /** Advances the chain until the current slot has reached the commitment. */
    reach: (commitment: Commitment): void => {
      if (commitment === 'confirmed') network.tick();
      if (commitment === 'finalized') finalizeAll(network);
    },
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;
