import type { KeyPairSigner } from '@solana/kit';
import { GraphQLClient, gql } from 'graphql-request';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { signAndSend } from '../../bin/sign-and-send.ts';
import type { Chain } from '../../src/chain/chain.ts';
import { pollUntil } from '../poll-until.ts';

interface SubscriptionSummary {
  readonly id: string;
  readonly status: string;
  readonly walletAddress: string;
  readonly paymentCount: number;
}

interface RefundablePayment {
  readonly id: string;
  readonly amount: string;
  readonly refundableAmount: string;
  readonly refundedAmount: string;
}

export interface RefundRequest {
  readonly paymentId: string;
  readonly amount?: string;
  readonly reason?: string;
  readonly idempotencyKey?: string;
}

export interface Refund {
  readonly id: string;
  readonly status: string;
  readonly reference: string;
  /** The customer's wallet. */
  readonly recipient: string;
  readonly amount: string;
  readonly solanaPayUrl: string | null;
  readonly inFlight: boolean;
  readonly signature: string | null;
}

const REFUND = 'id status amount reference recipient solanaPayUrl inFlight sentSignature signature';

export interface NewPlan {
  readonly planId: string;
  /** Default `planId`. */
  readonly name?: string;
  /** In base units. */
  readonly amount: bigint;
  /** The limit of a period; default `amount`. */
  readonly maxAmount?: bigint;
  readonly intervalSeconds: number;
  /** For how many periods customers may pause; default 0. */
  readonly maxPausedPeriods?: number;
  /** Default 0. */
  readonly collectWithinSeconds?: number;
}

/** The discounts of a checkout. */
export interface CheckoutDiscount {
  /** A discount that the customer gets without a code. */
  readonly discountId?: string;
  readonly allowsCodes?: boolean;
}

/** A page of changed states of customers. */
interface ChangedStates {
  readonly states: readonly {
    readonly customerId: string;
    readonly version: number;
    readonly hasAccess: boolean;
    readonly subscriptions: readonly { readonly subscriptionId: string; readonly status: string }[];
  }[];
  readonly cursor: string;
  readonly hasMore: boolean;
}

/** The merchant's backend, which has an API key and a wallet and uses GraphQL. */
export class Merchant {
  readonly #graphql: GraphQLClient;
  readonly #live: ReturnType<typeof createClient>;
  readonly #chain: Pick<Chain, 'rpc'>;
  readonly #wallet: KeyPairSigner;
  /**
   * Ids of the successful payments that the live stream reported. It may report one several times.
   */
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

  async publishPlan({ name, amount, maxAmount, intervalSeconds, ...terms }: NewPlan): Promise<void> {
    const { planId } = terms;
    const { createPlan } = await this.#graphql.request<{ createPlan: { transaction: string } }>(
      gql`
        mutation ($input: CreatePlanInput!) {
          createPlan(input: $input) {
            transaction
          }
        }
      `,
      {
        input: {
          ...terms,
          name: name ?? planId,
          amount: String(amount),
          // Releases without limits know no such field.
          ...(maxAmount !== undefined && { maxAmount: String(maxAmount) }),
          interval: intervalSeconds,
        },
      },
    );
    await signAndSend(this.#chain, this.#wallet, createPlan.transaction);
    const status = gql`
      query ($planId: String!) {
        plan(planId: $planId) {
          status
        }
      }
    `;
    await pollUntil(async () => {
      const { plan } = await this.#graphql.request<{ plan: { status: string } }>(status, { planId });
      return plan.status === 'ACTIVE';
    });
  }

  async openCheckout(
    planId: string,
    customerEmail: string,
    discount: CheckoutDiscount = {},
  ): Promise<string> {
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
      { input: { planId, customerEmail, ...discount, metadata: { source: 'demo' } } },
    );
    return createCheckoutSession.id;
  }

  /** Creates a discount of a part of the price, in hundredths of a percent. Returns its id. */
  async createDiscount(input: {
    readonly name: string;
    readonly percentBps: number;
    readonly code?: string;
    readonly periods?: number;
    readonly maxRedemptions?: number;
    readonly maxPerCustomer?: number;
  }): Promise<string> {
    const { createDiscount } = await this.#graphql.request<{ createDiscount: { id: string } }>(
      'mutation ($input: CreateDiscountInput!) { createDiscount(input: $input) { id } }',
      { input },
    );
    return createDiscount.id;
  }

  /** The number of uses of a discount. */
  async takenOf(discountId: string): Promise<number> {
    const { discount } = await this.#graphql.request<{ discount: { taken: number } }>(
      'query ($id: ID!) { discount(id: $id) { taken } }',
      { id: discountId },
    );
    return discount.taken;
  }

  /** Pauses a subscription for so many periods, from its next due date on. */
  async pause(subscription: string, periods: number): Promise<void> {
    await this.#graphql.request(
      gql`
        mutation ($subscription: ID!, $periods: Int!) {
          pauseSubscription(subscription: $subscription, periods: $periods) {
            id
          }
        }
      `,
      { subscription, periods },
    );
  }

  /** The states of customers that changed after a cursor. */
  async changedStates(cursor: string | undefined): Promise<ChangedStates> {
    const { customerStatesChangedSince } = await this.#graphql.request<{
      customerStatesChangedSince: ChangedStates;
    }>(
      gql`
        query ($cursor: String) {
          customerStatesChangedSince(cursor: $cursor) {
            states {
              customerId
              version
              hasAccess
              subscriptions {
                subscriptionId
                status
              }
            }
            cursor
            hasMore
          }
        }
      `,
      { cursor },
    );
    return customerStatesChangedSince;
  }

  async subscriptions(): Promise<SubscriptionSummary[]> {
    const { subscriptions } = await this.#graphql.request<{
      subscriptions: { data: SubscriptionSummary[] };
    }>(gql`
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

  /** The number of a subscription's payments. */
  async paymentCount(id: string): Promise<number> {
    const { subscription } = await this.#graphql.request<{ subscription: { paymentCount: number } }>(
      gql`
        query ($id: ID!) {
          subscription(id: $id) {
            paymentCount
          }
        }
      `,
      { id },
    );
    return subscription.paymentCount;
  }

  /**
   * Refunds the first payment of a subscription. Returns its amount once the refund is recorded.
   */
  async refundFirstPayment(subscription: string): Promise<bigint> {
    const read = () => this.firstPayment(subscription);
    // A payment can be refunded once it is finalized.
    const { id: paymentId, amount } = await pollUntil(async () => {
      const payment = await read();
      return payment.amount === payment.refundableAmount && payment;
    });
    const { id } = await this.#createRefund<'id'>({ paymentId, reason: 'Requested by the customer' }, 'id');
    await signAndSend(this.#chain, this.#wallet, await this.refundTransaction(id));
    await pollUntil(async () => (await read()).refundedAmount === amount);
    return BigInt(amount);
  }

  async firstPayment(subscription: string): Promise<RefundablePayment> {
    const { subscription: found } = await this.#graphql.request<{
      subscription: { payments: { edges: { node: RefundablePayment }[] } };
    }>(
      gql`
        query ($id: ID!) {
          subscription(id: $id) {
            payments(status: SUCCEEDED, last: 1) {
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
        }
      `,
      { id: subscription },
    );
    const node = found.payments.edges[0]?.node;
    if (!node) throw new Error(`${subscription} has no payment`);
    return node;
  }

  /** Prepares a refund, by default of the whole amount that is not refunded yet. */
  createRefund(input: RefundRequest): Promise<Refund> {
    return this.#createRefund(input, REFUND);
  }

  /** The unsigned transaction of a refund, in base64. */
  async refundTransaction(id: string): Promise<string> {
    const { refundTransaction } = await this.#graphql.request<{ refundTransaction: { transaction: string } }>(
      'mutation ($id: ID!) { refundTransaction(id: $id) { transaction } }',
      { id },
    );
    return refundTransaction.transaction;
  }

  async refund(id: string): Promise<Refund> {
    const { refund } = await this.#graphql.request<{ refund: Refund }>(
      `query ($id: ID!) { refund(id: $id) { ${REFUND} } }`,
      { id },
    );
    return refund;
  }

  async cancelRefund(id: string): Promise<Refund> {
    const { cancelRefund } = await this.#graphql.request<{ cancelRefund: Refund }>(
      `mutation ($id: ID!) { cancelRefund(id: $id) { ${REFUND} } }`,
      { id },
    );
    return cancelRefund;
  }

  get livePayments(): number {
    return this.#livePayments.size;
  }

  close(): void {
    void this.#live.dispose();
  }

  async #createRefund<Field extends keyof Refund = keyof Refund>(
    input: RefundRequest,
    fields: string,
  ): Promise<Pick<Refund, Field>> {
    const { createRefund } = await this.#graphql.request<{ createRefund: Pick<Refund, Field> }>(
      `mutation ($input: CreateRefundInput!) { createRefund(input: $input) { ${fields} } }`,
      { input },
    );
    return createRefund;
  }
}
