import { createKeyPairSignerFromBytes } from '@solana/kit';
import type { Keypair } from '@solana/web3.js';
import { type SignInRequest, signInWithWallet } from '../tools/sign-in-wallet.ts';

/** A subscription in the portal. */
interface Shown {
  readonly id: string;
  readonly plan: { readonly name: string };
  readonly pause: object | null;
}

/** The portal as the page of a customer uses it: with the wallet's signature and a cookie. */
export class ChaosPortal {
  readonly #origin: string;
  readonly #wallet: Keypair;
  #cookie = '';

  constructor(origin: string, wallet: Keypair) {
    this.#origin = origin;
    this.#wallet = wallet;
  }

  /** Pauses the subscription to a plan for so many periods. */
  async pause(plan: string, periods: number): Promise<void> {
    await this.#change(plan, 'pause', { periods });
  }

  /** Ends the pause, and pays for the running period. */
  async resume(plan: string): Promise<void> {
    await this.#change(plan, 'unpause', { chargeNow: true });
  }

  async isPaused(plan: string): Promise<boolean> {
    return (await this.#find(plan)).pause !== null;
  }

  async #change(plan: string, action: string, body: object): Promise<void> {
    const { id } = await this.#find(plan);
    await this.#send('POST', `/api/portal/subscriptions/${id}/${action}`, body);
  }

  async #find(plan: string): Promise<Shown> {
    if (!this.#cookie) await this.#signIn();
    const { subscriptions } = await this.#send<{ subscriptions: Shown[] }>(
      'GET',
      '/api/portal/subscriptions',
    );
    const found = subscriptions.find(({ plan: { name } }) => name === plan);
    if (!found) throw new Error(`the portal shows no subscription to ${plan}`);
    return found;
  }

  async #signIn(): Promise<void> {
    const signer = await createKeyPairSignerFromBytes(this.#wallet.secretKey);
    const { address } = signer;
    const request = await this.#send<SignInRequest>('POST', '/api/portal/wallet/input', { address });
    await this.#send('POST', '/api/portal/wallet', await signInWithWallet(signer, request));
  }

  async #send<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    const response = await fetch(`${this.#origin}${path}`, {
      method,
      headers: {
        origin: this.#origin,
        cookie: this.#cookie,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const content = await response.json();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(content)}`);
    const [cookie] = response.headers.getSetCookie();
    if (cookie) this.#cookie = cookie.split(';')[0] ?? '';
    return content as T;
  }
}
