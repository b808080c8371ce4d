import { Agent, request } from 'node:http';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { pollUntil } from '../poll-until.ts';

const POLL_MS = 20;

/** A call of a method. */
export interface LocalnetCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

interface LocalnetResponse {
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/**
 * A client of a local network in this process or in another one, with a fixed maximum of keep-alive
 * connections. It changes the network's state as no transaction can.
 */
export class LocalnetClient {
  readonly #agent: Agent;
  readonly #url: string;

  constructor(url: string, connections = 8) {
    this.#url = url;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  async call<T>(method: string, params: unknown[]): Promise<T> {
    return resultOf<T>({ method, params }, JSON.parse(await this.raw(method, params)));
  }

  /** Makes calls one after the other, in one request of at most 50 kB. */
  async callAll(calls: readonly LocalnetCall[]): Promise<void> {
    const requests = calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call }));
    const responses = JSON.parse(await this.#post(JSON.stringify(requests))) as LocalnetResponse[];
    for (const [index, call] of calls.entries()) resultOf(call, responses[index]);
  }

  /** Returns the body of the response. */
  raw(method: string, params: unknown[]): Promise<string> {
    return this.#post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  }

  #post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const call = request(this.#url, { method: 'POST', agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => resolve(Buffer.concat(chunks).toString()));
        response.on('error', reject);
      });
      call.on('error', reject);
      call.end(body);
    });
  }

  /** Sets a wallet's SOL, in lamports. */
  async setLamports(wallet: string, lamports: number | bigint): Promise<void> {
    await this.call('surfnet_setAccount', [wallet, { lamports: Number(lamports) }]);
  }

  /** The confirmed SOL of an account, in lamports. */
  async lamportsOf(account: string): Promise<number> {
    const params = [account, { commitment: 'confirmed' }];
    return (await this.call<{ value: number }>('getBalance', params)).value;
  }

  /** Sets a wallet's SOL, and waits until it is confirmed: simulations run on the confirmed state. */
  async fund(wallet: string, lamports: number | bigint = 10_000_000_000n): Promise<void> {
    await this.setLamports(wallet, lamports);
    await this.untilFunded(wallet);
  }

  /** Waits until an account is confirmed. */
  async untilFunded(account: string): Promise<void> {
    await pollUntil(async () => (await this.lamportsOf(account)) > 0, POLL_MS);
  }

  /** Sets a wallet's tokens, in base units. Creates its token account if it is missing. */
  async setTokens(wallet: string, amount: bigint, mint: string = USDC_MINT): Promise<void> {
    await this.call('surfnet_setTokenAccount', [wallet, mint, { amount: String(amount) }]);
  }

  /** The confirmed tokens of a wallet, in base units. */
  async tokensOf(wallet: string, mint: string = USDC_MINT): Promise<bigint> {
    const { value } = await this.call<{
      value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
    }>('getTokenAccountsByOwner', [wallet, { mint }, { encoding: 'jsonParsed', commitment: 'confirmed' }]);
    return value.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
  }

  /** Moves the network's time to a time in milliseconds since the Unix epoch. */
  async travelTo(unixMs: number): Promise<void> {
    await this.call('surfnet_timeTravel', [{ absoluteTimestamp: unixMs }]);
  }

  slot(commitment: 'processed' | 'confirmed' | 'finalized' = 'processed'): Promise<number> {
    return this.call('getSlot', [{ commitment }]);
  }

  /** Waits until the network has made this many more blocks. */
  async untilBlocks(count: number): Promise<void> {
    const end = (await this.slot()) + count;
    await pollUntil(async () => (await this.slot()) >= end, POLL_MS);
  }

  close(): void {
    this.#agent.destroy();
  }
}

function resultOf<T>({ method }: LocalnetCall, response: LocalnetResponse | undefined): T {
  if (!response || response.error) throw new Error(`${method}: ${response?.error?.message ?? 'no response'}`);
  return response.result as T;
}
