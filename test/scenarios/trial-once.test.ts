import type { Address } from '@solana/kit';
import { getRevokeSubscriptionOverlayInstruction } from '@solana/subscriptions';
import { expect, it } from 'vitest';
import { findSession } from '../../src/domain/checkout/session/get-checkout-session.ts';
import { trialOf } from '../../src/domain/checkout/session/trial-left.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const TRIAL = 7 * DAY;

const world = await sharedByFile(startWorld());

const countPaid = async ({ id }: Subscriber) =>
  (await world.books(id)).filter(({ status }) => status === 'SUCCEEDED').length;

/** Cancels as the customer, and closes the account once the period has ended on chain. */
async function cancelAndClose(customer: Subscriber): Promise<void> {
  await customer.cancel();
  await world.until(
    'the subscription is cancelled',
    async () => (await customer.state()).state === 'cancelled',
  );
  await world.travel(DAY + 60);
  const { wallet, plan, id } = customer;
  await world.land(wallet, [
    getRevokeSubscriptionOverlayInstruction({
      authority: wallet,
      planPda: plan,
      subscriptionPda: id as Address,
    }),
  ]);
}

/** The trial in seconds: on the public page, in the merchant's REST answer and in GraphQL. */
async function readTrials(sessionId: string): Promise<unknown[]> {
  const publicResponse = await fetch(`${world.apiUrl}/api/checkout/${sessionId}`);
  const { plan } = (await publicResponse.json()) as { plan: { trialPeriodSeconds: string } };
  const merchantResponse = await fetch(`${world.apiUrl}/api/checkout/${sessionId}`, {
    headers: { authorization: `Bearer ${world.apiKey}` },
  });
  const merchantRecord = (await merchantResponse.json()) as { plan: { trialPeriodSeconds: string } };
  const { checkoutSession } = await world.graphql<{ checkoutSession: { trialPeriodSeconds: number } }>(
    'query ($id: ID!) { checkoutSession(id: $id) { trialPeriodSeconds } }',
    { id: sessionId },
  );
  return [
    plan.trialPeriodSeconds,
    merchantRecord.plan.trialPeriodSeconds,
    String(checkoutSession.trialPeriodSeconds),
  ];
}

const threeTimes = (seconds: number) => Array.from({ length: 3 }, () => String(seconds));

it('a wallet that closes and subscribes again pays at once', async () => {
  const planId = await world.plan({ trial: TRIAL });
  const first = await world.subscriber(planId);
  await world.quiet();
  expect(await countPaid(first)).toBe(0);
  const { wallet } = first;
  for (const round of [2, 3, 4]) {
    await cancelAndClose(first);
    const created = await world.graphql<{ createCheckoutSession: { id: string } }>(
      'mutation ($input: CreateCheckoutSessionInput!) { createCheckoutSession(input: $input) { id } }',
      { input: { planId, customerEmail: `customer-${round}@example.com` } },
    );
    const sessionId = created.createCheckoutSession.id;
    const again = await world.checkout(planId, { wallet, sessionId });
    expect(await readTrials(sessionId)).toEqual(threeTimes(TRIAL));
    const signature = await again.approve();
    expect(await readTrials(sessionId)).toEqual(threeTimes(0));
    await again.complete(signature);
    expect(await readTrials(sessionId)).toEqual(threeTimes(0));
    await world.quiet();
    expect(await countPaid(first), `subscription ${round}`).toBe(round - 1);
  }
  expect(await world.tokensOf(wallet.address)).toBe(97n * PRICE);
});

it('a wallet that is new has its trial, also if its email had one', async () => {
  const planId = await world.plan({ trial: TRIAL });
  const first = await world.subscriber(planId);
  const another = await world.checkout(planId);
  const signature = await another.approve();
  expect(await readTrials(another.sessionId)).toEqual(threeTimes(TRIAL));
  await another.complete(signature);
  expect(await readTrials(another.sessionId)).toEqual(threeTimes(TRIAL));
  // A request may have read the session just before it was completed.
  const session = await findSession(world.ctx, another.sessionId);
  if (!session) throw new Error('the session is missing');
  expect(await trialOf(world.ctx, { ...session, subscription: null, completedAt: null })).toBe(TRIAL);
  await world.quiet();
  expect(await countPaid(first)).toBe(0);
  expect(await countPaid(another.subscriber)).toBe(0);
});

it('another plan of the same merchant has its own trial', async () => {
  const [one, other] = [await world.plan({ trial: TRIAL }), await world.plan({ trial: TRIAL })];
  const { wallet } = await world.subscriber(one);
  const second = await world.subscriber(other, { wallet });
  await world.quiet();
  expect(await countPaid(second)).toBe(0);
});

it('a subscription that expired after its trial is reactivated without another one', async () => {
  const planId = await world.plan({ trial: 2 * HOUR });
  const customer = await world.subscriber(planId, { payments: 0 });
  await world.quiet();
  await world.travel(2 * HOUR + 60);
  for (const seconds of [65, 305]) await world.travel(seconds);
  expect((await customer.state()).state).toBe('expired');
  await customer.setBalance(10n * PRICE);
  const again = await world.checkout(planId, { wallet: customer.wallet });
  const signature = await again.approve();
  expect(await readTrials(again.sessionId)).toEqual(threeTimes(0));
  await again.complete(signature);
  await world.quiet();
  expect(await countPaid(customer)).toBe(1);
});

it('a subscription resumed in its trial keeps the rest of the trial', async () => {
  const planId = await world.plan({ trial: TRIAL });
  const customer = await world.subscriber(planId);
  await world.quiet();
  await world.travel(2 * DAY);
  await world.graphql(
    'mutation ($id: ID!) { cancelSubscription(subscription: $id, when: NOW) { transaction } }',
    {
      id: customer.id,
    },
  );
  const { approve, complete } = await world.checkout(planId, { wallet: customer.wallet });
  await complete(await approve());
  await world.quiet();
  expect(await countPaid(customer)).toBe(0);
  await world.travel(5 * DAY + HOUR);
  expect(await countPaid(customer)).toBe(1);
});
