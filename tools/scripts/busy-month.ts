import { Connection, PublicKey } from '@solana/web3.js';
import type { MemberClient } from '../dashboard/member-client.ts';
import { CustomerApp } from '../world/customer-app.ts';
import { LocalnetClient } from '../world/localnet-client.ts';

const ONE_SOL = 1_000_000_000;
const DAY_SECONDS = 86_400;
/** Enough for a plan of a month to be due again for the customers of the first ten days. */
const STEPS = 14;
const DAYS_PER_STEP = 3;
/** Longer than dues waits before a retry. */
const RETRY_SECONDS = 600;
/** About the time that an attempt takes; a busy machine needs more moves of the time. */
const ATTEMPT_MS = 2_000;
/** A subscription expires after three failures. */
const MAX_RETRIES = 30;
/** The money of a customer, in base units: enough for years, or for one payment. */
const RICH = 1_000_000_000n;
const POOR = 13_000_000n;
/** Every so many customers, one cannot pay a second time. */
const POOR_EVERY = 5;
const NAMES = ['ada', 'grace', 'alan', 'edsger', 'barbara', 'donald', 'radia', 'ken', 'frances', 'john'];

interface Plans {
  readonly plans: { readonly edges: readonly { readonly node: { planId: string; mint: string } }[] };
}

/**
 * Lets customers subscribe to the merchant's plans, more in each step, while the time of the network
 * moves on. The first of them then pay a second time. The subscription of one that cannot expires.
 *
 * @param rpcUrl the local network, which gives the customers their test money
 */
export async function playBusyMonth({ ask, origin }: MemberClient, rpcUrl: string): Promise<void> {
  const network = new LocalnetClient(rpcUrl, 4);
  const connection = new Connection(rpcUrl, 'confirmed');
  const { plans } = await ask<Plans>(
    '{ plans(first: 10, status: ACTIVE) { edges { node { planId mint } } } }',
  );
  let customers = 0;

  async function subscribe(): Promise<void> {
    const { node: plan } = plans.edges[customers % plans.edges.length] ?? {};
    if (!plan) throw new Error('The merchant has no plan');
    const name = NAMES[customers % NAMES.length];
    const email = customers < NAMES.length ? `${name}@example.com` : `${name}.${customers}@example.com`;
    customers += 1;
    const app = new CustomerApp(origin, connection);
    const amount = customers % POOR_EVERY === 0 ? POOR : RICH;
    await network.setLamports(app.address, ONE_SOL);
    await network.setTokens(app.address, amount, plan.mint);
    await network.untilFunded(app.tokenAccount(new PublicKey(plan.mint)));
    const { createCheckoutSession } = await ask<{ createCheckoutSession: { id: string } }>(
      'mutation ($input: CreateCheckoutSessionInput!) { createCheckoutSession(input: $input) { id } }',
      { input: { planId: plan.planId, customerEmail: email } },
    );
    await app.approve(createCheckoutSession.id);
    await app.complete();
  }

  const advance = (seconds: number) =>
    ask('mutation ($seconds: Int!) { advanceTestClock(seconds: $seconds) }', { seconds });
  const hasExpired = async () => {
    const { subscriptions } = await ask<{ subscriptions: { data: object[] } }>(
      '{ subscriptions(limit: 1, filter: { statuses: [EXPIRED] }) { data { id } } }',
    );
    return subscriptions.data.length > 0;
  };
  for (let step = 0; step < STEPS; step += 1) {
    for (let count = 0; count <= step % 4; count += 1) await subscribe();
    await advance(DAYS_PER_STEP * DAY_SECONDS);
  }
  for (let count = 0; !(await hasExpired()); count += 1) {
    if (count === MAX_RETRIES) throw new Error('No subscription has expired');
    await advance(RETRY_SECONDS);
    await new Promise((resolve) => setTimeout(resolve, ATTEMPT_MS));
  }
  // Other customers pay after that.
  await advance(DAYS_PER_STEP * DAY_SECONDS);
  network.close();
}
