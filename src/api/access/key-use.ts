import type { AppContext } from '../../app.ts';
import { recordKeyUse } from '../../domain/accounts/api-key/record-key-use.ts';

const WRITE_EVERY_MS = 5_000;

/**
 * Stores the times at which API keys were used, in batches, so that no request waits for the
 * database.
 */
export class KeyUse {
  readonly #ctx: AppContext;
  readonly #timer: NodeJS.Timeout;
  #usedAt = new Map<string, Date>();

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  note(keyId: string): void {
    this.#usedAt.set(keyId, this.#ctx.wallClock.now());
  }

  async write(): Promise<void> {
    if (this.#usedAt.size === 0) return;
    const usedAt = this.#usedAt;
    this.#usedAt = new Map();
    await recordKeyUse(this.#ctx, usedAt).catch((err) => this.#ctx.log.warn({ err }, 'key use not stored'));
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
