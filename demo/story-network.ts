import { setTimeout as wait } from 'node:timers/promises';
import { USDC_MINT } from '../localnet/genesis.ts';

const LAMPORTS = 10_000_000_000;

/** A local network that is used over its RPC, so it may run in this process or in another one. */
export class StoryNetwork {
  readonly rpcUrl: string;
  readonly webSocketUrl: string;
  /** Milliseconds by which the chain's clock is ahead of the machine's. */
  #aheadMs = 0;

  constructor({ rpcUrl, webSocketUrl }: Pick<StoryNetwork, 'rpcUrl' | 'webSocketUrl'>) {
    this.rpcUrl = rpcUrl;
    this.webSocketUrl = webSocketUrl;
  }

  /** The chain's time, or slightly earlier. */
  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  async travel(seconds: number): Promise<void> {
    const target = Math.ceil(this.nowMs() + seconds * 1000);
    await this.call('surfnet_timeTravel', [{ absoluteTimestamp: target }]);
    this.#aheadMs = target - Date.now();
  }

  /** Gives a wallet SOL for its fees. Resolves when the balance is confirmed. */
  async fund(wallet: string): Promise<void> {
    await this.call('surfnet_setAccount', [wallet, { lamports: LAMPORTS }]);
    while ((await this.lamportsOf(wallet)) < LAMPORTS) await wait(20);
  }

  /** The SOL of a wallet, in lamports. */
  async lamportsOf(wallet: string): Promise<number> {
    const { value } = await this.call<{ value: number }>('getBalance', [wallet, { commitment: 'confirmed' }]);
    return value;
  }

  async setBalance(wallet: string, amount: bigint): Promise<void> {
    await this.call('surfnet_setTokenAccount', [wallet, USDC_MINT, { amount: String(amount) }]);
  }

  /** The balance of a token account, in base units; 0 if it does not exist. */
  async tokensOf(account: string): Promise<bigint> {
    const { value } = await this.call<{ value: { amount: string } }>('getTokenAccountBalance', [
      account,
      { commitment: 'confirmed' },
    ]).catch(() => ({ value: { amount: '0' } }));
    return BigInt(value.amount);
  }

  async call<T>(method: string, params: unknown[]): Promise<T> {
    const response = await fetch(this.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}
