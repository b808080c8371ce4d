import type { Localnet } from '../localnet/localnet.ts';
import { LocalnetClient } from '../tools/world/localnet-client.ts';

/** A local network that is used over its RPC, so it may run in this process or in another one. */
export class StoryNetwork extends LocalnetClient {
  readonly rpcUrl: string;
  readonly webSocketUrl: string;
  /** Milliseconds by which the chain's clock is ahead of the machine's. */
  #aheadMs = 0;

  constructor({ rpcUrl, webSocketUrl }: Pick<Localnet, 'rpcUrl' | 'webSocketUrl'>) {
    super(rpcUrl);
    this.rpcUrl = rpcUrl;
    this.webSocketUrl = webSocketUrl;
  }

  /** The chain's time, or slightly earlier. */
  nowMs(): number {
    return Date.now() + this.#aheadMs;
  }

  async travel(seconds: number): Promise<void> {
    const target = Math.ceil(this.nowMs() + seconds * 1000);
    await this.travelTo(target);
    this.#aheadMs = target - Date.now();
  }
}
