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

interface Refundable {
  readonly id: string;
  readonly amount: string;
  readonly refundableAmount: string;
  readonly refundedAmount: string;
}

/** Reads until the condition holds. */
async function until<T>(read: () => Promise<T>, condition: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (condition(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
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
    await until(
      () => this.#graphql.request<{ plan: { status: string } }>(status, { planId }),
      ({ plan }) => plan.status === 'ACTIVE',
    );
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

  /** Sends the first payment of a subscription back, and returns its amount when that is final. */
  async refundFirstPayment(subscription: string): Promise<bigint> {
    const oldest = gql`
      query ($subscription: ID!) {
        payments(subscriptionId: $subscription, status: SUCCEEDED, last: 1) {
          edges {
            node {
              id
              amount
              refundableAmount
              refundedAmount
            }
          }
        }
      }
    `;
    const read = async () => {
      const { payments } = await this.#graphql.request<{ payments: { edges: { node: Refundable }[] } }>(
        oldest,
        {
          subscription,
        },
      );
      const node = payments.edges[0]?.node;
      if (!node) throw new Error(`${subscription} has paid nothing`);
      return node;
    };
    // It can be refunded when it is final.
    const payment = await until(read, ({ amount, refundableAmount }) => amount === refundableAmount);
    const { createRefund } = await this.#graphql.request<{ createRefund: { id: string } }>(
      gql`
        mutation ($paymentId: ID!) {
          createRefund(input: { paymentId: $paymentId, reason: "Requested by the customer" }) {
            id
          }
        }
      `,
      { paymentId: payment.id },
    );
    const { refundTransaction } = await this.#graphql.request<{ refundTransaction: { transaction: string } }>(
      gql`
        mutation ($id: ID!) {
          refundTransaction(id: $id) {
            transaction
          }
        }
      `,
      { id: createRefund.id },
    );
    await signAndSend(this.#chain, this.#wallet, refundTransaction.transaction);
    await until(read, ({ amount, refundedAmount }) => amount === refundedAmount);
    return BigInt(payment.amount);
  }

  get livePayments(): number {
    return this.#livePayments.size;
  }

  close(): void {
    void this.#live.dispose();
  }
}
