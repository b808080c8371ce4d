import type { KeyPairSigner } from '@solana/kit';
import { GraphQLClient, gql } from 'graphql-request';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { signAndSend } from '../bin/sign-and-send.ts';
import type { Chain } from '../src/chain/chain.ts';

interface Billed {
  readonly id: string;
  readonly status: string;
  readonly walletAddress: string;
  readonly paymentCount: number;
}

/** The merchant's backend: an API key, a wallet, GraphQL. */
export class Merchant {
  readonly #graphql: GraphQLClient;
  readonly #live: ReturnType<typeof createClient>;
  readonly #chain: Pick<Chain, 'rpc'>;
  readonly #wallet: KeyPairSigner;
  /** Payments reported by the live stream: when they were settled, and when they became final. */
  readonly #livePayments = new Set<string>();

  constructor(api: string, apiKey: string, wallet: KeyPairSigner, chain: Pick<Chain, 'rpc'>) {
    const headers = { authorization: `Bearer ${apiKey}` };
    this.#graphql = new GraphQLClient(`${api}/graphql`, { headers });
    this.#live = createClient({
      url: `${api.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      connectionParams: headers,
    });
    this.#wallet = wallet;
    this.#chain = chain;
  }

  async listenAt(url: string): Promise<string> {
    const { createWebhookEndpoint } = await this.#graphql.request<{
      createWebhookEndpoint: { secret: string };
    }>(
      gql`
        mutation ($url: String!) {
          createWebhookEndpoint(url: $url) {
            secret
          }
        }
      `,
      { url },
    );
    return createWebhookEndpoint.secret;
  }

  watchPayments(): void {
    this.#live.subscribe(
      { query: 'subscription { paymentRecorded { id status } }' },
      {
        next: ({ data }) => {
          const payment = data?.paymentRecorded as { id: string; status: string } | undefined;
          if (payment?.status === 'SUCCEEDED') this.#livePayments.add(payment.id);
        },
        error: (error) => {
          throw error;
        },
        complete: () => undefined,
      },
    );
  }

  async publishPlan(planId: string, name: string, amount: bigint, intervalSeconds: number): Promise<void> {
    const { createPlan } = await this.#graphql.request<{ createPlan: { transaction: string } }>(
      gql`
        mutation ($input: CreatePlanInput!) {
          createPlan(input: $input) {
            transaction
          }
        }
      `,
      { input: { planId, name, amount: String(amount), interval: intervalSeconds } },
    );
    await signAndSend(this.#chain, this.#wallet, createPlan.transaction);
    const status = gql`
      query ($planId: String!) {
        plan(planId: $planId) {
          status
        }
      }
    `;
    for (;;) {
      const { plan } = await this.#graphql.request<{ plan: { status: string } }>(status, { planId });
      if (plan.status === 'ACTIVE') return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async openCheckout(planId: string, customerEmail: string): Promise<string> {
    const { createCheckoutSession } = await this.#graphql.request<{
      createCheckoutSession: { id: string };
    }>(
      gql`
        mutation ($input: CreateCheckoutSessionInput!) {
          createCheckoutSession(input: $input) {
            id
          }
        }
      `,
      { input: { planId, customerEmail, metadata: { source: 'demo' } } },
    );
    return createCheckoutSession.id;
  }

  async subscriptions(): Promise<Billed[]> {
    const { subscriptions } = await this.#graphql.request<{ subscriptions: { data: Billed[] } }>(gql`
      {
        subscriptions(limit: 100) {
          data {
            id
            status
            walletAddress
            paymentCount
          }
        }
      }
    `);
    return subscriptions.data;
  }

  get livePayments(): number {
    return this.#livePayments.size;
  }

  close(): void {
    void this.#live.dispose();
  }
}
