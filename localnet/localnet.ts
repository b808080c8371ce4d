import { cheatcodes } from './cheatcodes.ts';
import { cloneAccount, cloneProgram } from './clone.ts';
import {
  createUsdc,
  OWN_PROGRAM_FILE,
  programFromEnvironment,
  readProgram,
  SUBSCRIPTIONS_PROGRAM,
  USDC_MINT,
} from './genesis.ts';
import { startGeyserServer } from './geyser.ts';
import { hostInUrl } from './host-in-url.ts';
import { Network } from './network.ts';
import type { NetworkOptions } from './network-options.ts';
import { startRpcServer } from './rpc.ts';
import type { RunningServer } from './server.ts';
import { loadState } from './state-file.ts';
import { keepState } from './state-keeper.ts';
import type { WalletOptions } from './wallet-files.ts';
import { startWebSocketServer } from './websocket.ts';

export interface LocalnetOptions extends Pick<NetworkOptions, 'slotMs' | 'startMs' | 'maxTransactions'> {
  /** Default 127.0.0.1. */
  readonly host?: string;
  /**
   * Port of JSON-RPC over HTTP. For this and the other ports 0, the default, means any free port.
   */
  readonly rpcPort?: number;
  readonly webSocketPort?: number;
  readonly geyserPort?: number;
  /** The `x-token` that Yellowstone clients must send, if set. */
  readonly xToken?: string;
  /**
   * Path of a binary of the program. Default: LOCALNET_PROGRAM or, if it is not set, our program.
   */
  readonly program?: string;
  /** RPC URL of a cluster from which the program and the USDC mint are read. */
  readonly cloneFrom?: string;
  /**
   * File from which the state is loaded at the start, if it exists, and to which it is saved about
   * every second and at the end.
   */
  readonly state?: string;
  /**
   * Accounts that the wallet at `walletUrl` offers. Default: only those that the browser creates.
   */
  readonly wallet?: WalletOptions;
}

export interface Localnet {
  readonly network: Network;
  readonly rpcUrl: string;
  readonly webSocketUrl: string;
  readonly geyserUrl: string;
  /** A script that registers a wallet with test money in a page (Wallet Standard). */
  readonly walletUrl: string;
  /** Closes all connections and timers, and saves the state if a file is set. */
  close(): Promise<void>;
}

/**
 * Starts a network with its servers in this process: the chain, JSON-RPC, WebSocket and
 * Yellowstone.
 *
 * @throws PortInUse, UnreadableState, UnreadableProgram, CloneFailed; then nothing is left running
 */
export async function startLocalnet(options: LocalnetOptions = {}): Promise<Localnet> {
  const network = await createNetwork(options);
  const host = options.host ?? '127.0.0.1';
  const servers: RunningServer[] = [];
  const start = async (server: Promise<RunningServer>): Promise<number> => {
    const running = await server;
    servers.push(running);
    return running.port;
  };
  try {
    const rpcPort = await start(
      startRpcServer(network, {
        host,
        port: options.rpcPort ?? 0,
        methods: cheatcodes,
        wallet: options.wallet,
      }),
    );
    const webSocketPort = await start(
      startWebSocketServer(network, { host, port: options.webSocketPort ?? 0 }),
    );
    const geyserPort = await start(
      startGeyserServer(network, {
        host,
        port: options.geyserPort ?? 0,
        xToken: options.xToken,
      }),
    );
    network.start();
    const keeper = options.state ? keepState(network, options.state) : undefined;
    return {
      network,
      rpcUrl: `http://${hostInUrl(host)}:${rpcPort}`,
      webSocketUrl: `ws://${hostInUrl(host)}:${webSocketPort}`,
      geyserUrl: `http://${hostInUrl(host)}:${geyserPort}`,
      walletUrl: `http://${hostInUrl(host)}:${rpcPort}/wallet.js`,
      close: async () => {
        network.stop();
        await Promise.all(servers.map((server) => server.close()));
        await keeper?.close();
      },
    };
  } catch (error) {
    await Promise.all(servers.map((server) => server.close()));
    throw error;
  }
}

async function createNetwork(options: LocalnetOptions): Promise<Network> {
  const state = options.state ? await loadState(options.state) : undefined;
  const program = options.program ?? programFromEnvironment();
  // A saved network already has its program and mint; an explicit option replaces them.
  const elf = options.cloneFrom
    ? await cloneProgram(options.cloneFrom, SUBSCRIPTIONS_PROGRAM)
    : program
      ? await readProgram(program)
      : state
        ? undefined
        : await readProgram(OWN_PROGRAM_FILE);
  const mint = options.cloneFrom ? await cloneAccount(options.cloneFrom, USDC_MINT) : undefined;
  const network = new Network({
    slotMs: options.slotMs,
    startMs: options.startMs,
    maxTransactions: options.maxTransactions,
    programs: elf ? [{ address: SUBSCRIPTIONS_PROGRAM, elf }] : [],
    state,
  });
  if (mint || !state) createUsdc(network, mint);
  return network;
}
