import type { AppContext } from '../app.ts';
import { recordKeyUse } from '../domain/merchant/record-key-use.ts';

const WRITE_EVERY_MS = 5_000;

/** Remembers which keys are used and writes it down now and then, all at once: no request waits for that. */
export class KeyUse {
  readonly #ctx: AppContext;
  readonly #timer: NodeJS.Timeout;
  #usedAt = new Map<string, Date>();

  constructor(ctx: AppContext) {
    this.#ctx = ctx;
    this.#timer = setInterval(() => void this.write(), WRITE_EVERY_MS).unref();
  }

  note(keyId: string): void {
    this.#usedAt.set(keyId, this.#ctx.clock.now());
  }

  async write(): Promise<void> {
    if (this.#usedAt.size === 0) return;
    const usedAt = this.#usedAt;
    this.#usedAt = new Map();
    await recordKeyUse(this.#ctx, usedAt).catch((err) =>
      this.#ctx.log.warn({ err }, 'the use of keys was not written down'),
    );
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }
}
