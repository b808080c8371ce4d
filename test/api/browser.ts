/** A browser with the dashboard open: it keeps cookies and sends the origin of its page. */
import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type { KeyPairSigner } from '@solana/kit';
import { print } from 'graphql';
import { ClientError } from 'graphql-request';
import { signInWithWallet } from '../../tools/sign-in-wallet.ts';
import type { SetCookie } from './set-cookie.ts';
import { parseSetCookie } from './set-cookie.ts';
import { SIGN_IN, SIGN_IN_INPUT } from './team-documents.ts';
import type { ApiWorld } from './world.ts';

export interface BrowserOptions {
  /** Origin of the page; undefined for a client that is not a browser. */
  readonly origin?: string | undefined;
  readonly environment?: 'test' | 'live';
  readonly userAgent?: string;
  /** The address that a proxy in front of the API reports. */
  readonly forwarded?: string;
}

export class Browser {
  readonly #url: string;
  readonly #options: BrowserOptions;
  readonly cookies = new Map<string, string>();
  /** The cookies that the last answer set. */
  lastSetCookies: SetCookie[] = [];

  constructor(world: { readonly api: Pick<ApiWorld['api'], 'url'> }, options: BrowserOptions = {}) {
    this.#url = world.api.url;
    this.#options = { origin: 'https://dues.example', userAgent: 'Test Browser', ...options };
  }

  get headers(): Record<string, string> {
    const { origin, environment, userAgent, forwarded } = this.#options;
    return {
      ...(origin !== undefined && { origin }),
      ...(environment && { 'x-dues-environment': environment }),
      ...(userAgent && { 'user-agent': userAgent }),
      ...(forwarded && { 'x-forwarded-for': forwarded }),
      ...(this.cookies.size > 0 && {
        cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      }),
    };
  }

  /** A browser with the same cookies, but on a page of another site or with other headers. */
  copyWith(options: BrowserOptions): Browser {
    const other = new Browser(
      { api: { url: this.#url } as ApiWorld['api'] },
      { ...this.#options, ...options },
    );
    for (const [name, value] of this.cookies) other.cookies.set(name, value);
    return other;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${this.#url}${path}`, {
      ...init,
      headers: { ...this.headers, ...(init.headers as Record<string, string>) },
    });
    this.lastSetCookies = response.headers.getSetCookie().map(parseSetCookie);
    for (const { name, value, attributes } of this.lastSetCookies) {
      if (attributes['max-age'] === '0') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async query<Result, V>(document: TypedDocumentNode<Result, V>, variables: V): Promise<Result> {
    const query = print(document);
    const response = await this.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const body = (await response.json()) as { data: Result; errors?: [] };
    if (!body.errors) return body.data;
    throw new ClientError({ ...body, status: response.status } as never, { query });
  }

  async signIn(wallet: KeyPairSigner) {
    const { signInInput } = await this.query(SIGN_IN_INPUT, {});
    const { signIn } = await this.query(SIGN_IN, { output: await signInWithWallet(wallet, signInInput) });
    return signIn;
  }
}
