import type { FaultKind, FaultSettings } from '../localnet/faults.ts';
import { DuesProcess } from '../tools/world/dues-process.ts';
import { LocalnetClient } from '../tools/world/localnet-client.ts';

const CONNECTIONS = 16;
const SLOT_MS = 100;
/** The RPC methods that collection and the indexer call. */
export const METHODS = [
  'sendTransaction',
  'getMultipleAccounts',
  'simulateTransaction',
  'getSignatureStatuses',
  'getLatestBlockhash',
  'getBlockHeight',
  'getTransaction',
  'getSignaturesForAddress',
  'getProgramAccounts',
] as const;
/** More than the transactions of a run, so that the network drops none. */
const MAX_TRANSACTIONS = 200_000;
const NO_FAULTS: FaultSettings = {
  dropTransactions: 0,
  congestedBelow: 0,
  delayLandingSlots: 0,
  hideStatuses: false,
  nodes: { '*': { lagSlots: 0 } },
  streams: { skipSlots: 0, duplicate: false, reorder: false },
};

/**
 * `dues localnet` in a separate process. It is never killed, because its history is the evidence.
 */
export class ChaosNetwork {
  readonly rpcUrl: string;
  readonly geyserUrl: string;
  readonly webSocketUrl: string;
  readonly client: LocalnetClient;
  readonly #process: DuesProcess;
  /** Milliseconds by which the chain's clock is ahead of the machine's. */
  #aheadMs = 0;
  /** Resolves when the last jump of time is over. Jumps happen one after the other. */
  #lastTravel: Promise<unknown> = Promise.resolve();

  private constructor(process: DuesProcess, urls: { rpc: string; geyser: string; webSocket: string }) {
    this.#process = process;
    this.rpcUrl = urls.rpc;
    this.geyserUrl = urls.geyser;
    this.webSocketUrl = urls.webSocket;
    this.client = new LocalnetClient(this.rpcUrl, CONNECTIONS);
  }

  static async start(): Promise<ChaosNetwork> {
    const ports = ['--rpc-port', '0', '--ws-port', '0', '--yellowstone-port', '0'];
    const started = new DuesProcess([
      'localnet',
      ...ports,
      ...['--slot-ms', String(SLOT_MS), '--history', String(MAX_TRANSACTIONS)],
    ]);
    await started.printed(/Ctrl-C stops it/);
    const [rpc = '', webSocket = '', geyser = ''] = ['JSON-RPC', 'WebSocket', 'Yellowstone'].map(
      (name) => new RegExp(`${name}\\s+(\\S+)`).exec(started.stdout)?.[1],
    );
    return new ChaosNetwork(started, { rpc, webSocket, geyser });
  }

  /** The chain's time in milliseconds, or slightly earlier. */
  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  travel(seconds: number): Promise<void> {
    const travelled = this.#lastTravel.then(async () => {
      const target = Math.ceil(this.nowMs() + seconds * 1000);
      await this.client.travelTo(target);
      this.#aheadMs = target - Date.now();
    });
    this.#lastTravel = travelled.catch(() => undefined);
    return travelled;
  }

  async setFaults(settings: FaultSettings): Promise<void> {
    await this.client.call('localnet_setFaults', [settings]);
  }

  /** Ends all lasting faults, and removes counted faults that have not happened yet. */
  async endFaults(): Promise<void> {
    const cleared = METHODS.map((method) => [method, { fault: 'timeout', times: 0 }] as const);
    await this.setFaults({ ...NO_FAULTS, methods: Object.fromEntries(cleared) });
  }

  readFaultCounts(): Promise<Partial<Record<FaultKind, number>>> {
    return this.client.call('localnet_faultsMet', []);
  }

  async close(): Promise<void> {
    this.client.close();
    await this.#process.ended('SIGKILL');
  }
}
