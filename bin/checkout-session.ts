import type { z } from 'zod';
import type { publicSession } from '../src/api/rest/checkout-session.ts';
import { publicPart, rootMessage } from '../src/observability/public-urls.ts';
import { ApiUnusable } from './ask-api.ts';

export interface TransactionsToSign {
  readonly subscriptionPda: string;
  /** Unsigned, in base64. */
  readonly transactions: readonly string[];
  /** Whether more transactions follow after these are confirmed. */
  readonly more: boolean;
}

/** The public API of a checkout session. A failed call throws ApiUnusable with one line of text. */
export class CheckoutSession {
  readonly #url: string;

  /** @param pageUrl `http://.../checkout/cs_...` */
  constructor(pageUrl: string) {
    this.#url = pageUrl.replace(/\/checkout\/(?=[^/]+$)/, '/api/checkout/');
  }

  read(): Promise<z.infer<typeof publicSession>> {
    return this.#ask('');
  }

  requestTransactions(userWallet: string): Promise<TransactionsToSign> {
    return this.#ask('/transaction', { userWallet });
  }

  async complete(approved: {
    readonly subscriptionPda: string;
    readonly userWallet: string;
    readonly signature: string;
  }): Promise<void> {
    await this.#ask('/complete', approved);
  }

  async #ask<T>(path: string, body?: object): Promise<T> {
    const post = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const server = publicPart(this.#url);
    const answer = await fetch(this.#url + path, body && post).catch((cause: unknown) => {
      throw new ApiUnusable(`${server} cannot be reached: ${rootMessage(cause)}`, { cause });
    });
    const content = (await answer.json().catch(() => null)) as (T & { error?: { message?: string } }) | null;
    if (answer.ok && content) return content;
    throw new ApiUnusable(
      content?.error?.message ?? `${server} is not a dues server: it responded with status ${answer.status}`,
    );
  }
}
