import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { USDC_MINT } from '../localnet/genesis.ts';
import type { AppContext } from '../src/app.ts';
import { recordProblems } from '../src/domain/billing/collect/record-plan-problems.ts';
import type { Scope } from '../src/domain/kernel/access/scope.ts';
import type { EventType } from '../src/domain/messages/event/types.ts';
import { switchedTemplates } from '../src/domain/messages/mail/mail-settings.ts';
import { kebabCase, type TemplateName } from '../src/domain/messages/mail/templates.ts';
import { updateMailSettings } from '../src/domain/messages/mail/update-mail-settings.ts';
import { writeCollectorMail } from '../src/domain/messages/mail/write-collector-mail.ts';
import { writePortalLinkMail } from '../src/domain/messages/mail/write-mails.ts';
import type { SubscriptionStatus } from '../src/generated/prisma/client.ts';
import { inTransaction } from '../src/jobs/in-transaction.ts';
import { encryptSecret, generateWebhookSecret } from '../src/secrets.ts';
import { seedCustomer, seedPlan, subscriptionRow } from '../tools/world/rows.ts';

const DAY_MS = 86_400_000;
const AMOUNT = 5_000_000n;
const STATUSES = ['ACTIVE', 'PAST_DUE', 'CANCELLED', 'EXPIRED'] as const;

/** A merchant with all mails switched on, and with a subscription in each status. */
export interface MailMerchant {
  readonly scope: Scope;
  readonly planAddress: string;
  readonly subscriptions: Readonly<Record<SubscriptionStatus, string>>;
  /** Sequence of the newest event, by subscription. */
  readonly sequences: Map<string, number>;
}

/**
 * Creates a merchant with a plan, a failing endpoint, a subscription in each status, and two more:
 * one renews in five days, and one has a trial that ends in two.
 */
export async function seedMailMerchant(ctx: AppContext, number: number): Promise<MailMerchant> {
  const { db } = ctx;
  const now = ctx.clock.now().getTime();
  const { id: merchantId } = await db.merchant.create({
    data: { companyName: `Merchant ${number}`, walletAddress: randomUUID() },
  });
  const scope = { merchantId, environment: 'TEST' } as const;
  await updateMailSettings(ctx, scope, {
    templates: switchedTemplates,
    merchantEmail: `merchant-${number}@example.com`,
  });
  const plan = await seedPlan(db, scope, {
    amount: AMOUNT,
    intervalSeconds: 30 * 86_400,
    trialPeriodSeconds: 86_400,
    mint: USDC_MINT,
    chainCreatedAt: 1n,
    status: 'ACTIVE',
  });
  const customer = await seedCustomer(db, scope, { email: `reminded-${number}@example.com` });
  const newSubscription = async (status: SubscriptionStatus, inDays: number, paymentCount: number) => {
    const { id } = await db.subscription.create({
      data: subscriptionRow(plan, customer, new Date(now), {
        status,
        paymentCount,
        failureCount: status === 'PAST_DUE' ? 1 : 0,
        nextPaymentAt: new Date(now + inDays * DAY_MS),
      }),
    });
    return id;
  };
  const subscriptions = {} as Record<SubscriptionStatus, string>;
  for (const status of STATUSES) subscriptions[status] = await newSubscription(status, 20, 1);
  // A renewal in five days, and a trial that ends in two.
  await newSubscription('ACTIVE', 5, 1);
  await newSubscription('ACTIVE', 2, 0);
  await db.webhookEndpoint.create({
    data: {
      ...scope,
      url: 'https://shop.example/hook',
      failingSince: new Date(now - DAY_MS),
      encryptedSecret: encryptSecret(ctx.config.secretKey, generateWebhookSecret()),
      // No other event matches, so nothing is delivered.
      eventTypes: ['endpoint.test'],
    },
  });
  return { scope, planAddress: plan.address, subscriptions, sequences: new Map() };
}

/** The event types of mails, each with its template and the status of its subscription. */
const KINDS = [
  ['subscription.payment_succeeded', 'RECEIPT', 'ACTIVE'],
  ['subscription.payment_failed', 'PAYMENT_FAILED', 'PAST_DUE'],
  ['subscription.cancelled', 'CANCELLED', 'CANCELLED'],
  ['subscription.expired', 'EXPIRED', 'EXPIRED'],
  ['endpoint.disabled', 'ENDPOINT_DISABLED', null],
] as const satisfies readonly (readonly [EventType, TemplateName, SubscriptionStatus | null])[];

/**
 * Records events of all types that cause mails, except `payment.refunded`.
 *
 * @param first the number of the first event, counted from 0
 * @returns the Message-IDs of their mails, without the domain
 */
export async function recordMailEvents(
  { db, clock }: AppContext,
  merchants: readonly MailMerchant[],
  { first, count }: { readonly first: number; readonly count: number },
): Promise<string[]> {
  const createdAt = clock.now();
  const messageIds: string[] = [];
  const data = Array.from({ length: count }, (_, index) => {
    const merchant = merchants[(first + index) % merchants.length] as MailMerchant;
    const kind = KINDS[Math.floor((first + index) / merchants.length) % KINDS.length];
    const [type, template, status] = kind ?? KINDS[0];
    const id = uuidv7();
    messageIds.push(`${id}.${kebabCase(template)}`);
    const subscriptionId = status === null ? null : merchant.subscriptions[status];
    const sequence = subscriptionId === null ? null : nextSequence(merchant, subscriptionId);
    return {
      ...merchant.scope,
      id,
      type,
      subscriptionId,
      sequence,
      createdAt,
      data: dataOf(first + index, createdAt),
    };
  });
  await db.event.createMany({ data });
  return messageIds;
}

function nextSequence({ sequences }: MailMerchant, subscriptionId: string): number {
  const sequence = (sequences.get(subscriptionId) ?? 0) + 1;
  sequences.set(subscriptionId, sequence);
  return sequence;
}

/** Event data with the fields that all mails read, and with a different customer per event. */
function dataOf(number: number, at: Date) {
  const date = new Date(at.getTime() + DAY_MS).toISOString();
  return {
    customer: { email: `customer-${number}@example.com`, customerId: null, walletAddress: 'wallet' },
    paymentId: randomUUID(),
    signature: 'signature',
    amount: String(AMOUNT),
    paymentNumber: 2,
    nextPaymentDate: date,
    failureCode: 'INSUFFICIENT_FUNDS',
    nextAttemptDate: date,
    failureCount: 1,
    amountRequired: String(AMOUNT),
    balanceAvailable: '0',
    accessUntil: date,
    endpointId: randomUUID(),
    url: 'https://shop.example/hook',
    reason: 'GONE',
    failingSince: null,
    metadata: {},
  };
}

/** Causes the other mails: first sale, portal link, plan problem and low collector balance. */
export async function writeOtherMails(ctx: AppContext, merchants: readonly MailMerchant[]): Promise<void> {
  const now = ctx.clock.now().getTime();
  for (const { scope, planAddress, subscriptions } of merchants) {
    const payment = await ctx.db.payment.create({
      data: {
        ...scope,
        subscriptionId: subscriptions.ACTIVE,
        periodStart: 1n,
        dueAt: new Date(now),
        amount: AMOUNT,
        status: 'SUCCEEDED' as const,
        number: 1,
        signature: 'first',
        paidAt: new Date(now),
      },
    });
    await ctx.db.event.create({
      data: {
        ...scope,
        type: 'subscription.payment_succeeded',
        subscriptionId: subscriptions.ACTIVE,
        sequence: 1_000_000,
        createdAt: new Date(now),
        data: { ...dataOf(-1, new Date(now)), paymentId: payment.id, paymentNumber: 1 },
      },
    });
    const link = { id: randomUUID(), url: 'https://dues.example/portal#mail=x', email: 'ada@example.com' };
    const expiresAt = new Date(now + DAY_MS);
    await inTransaction(ctx, (tx) => writePortalLinkMail(ctx, tx, { scope, ...link, expiresAt }));
    await recordProblems(ctx, 'TEST', [{ address: planAddress, problem: 'RECEIVER_FROZEN' }]);
  }
  await writeCollectorMail(ctx, {
    environment: 'TEST',
    address: 'collector',
    role: 'current',
    lamports: 1_000_000n,
    canPay: true,
    lamportsPerDay: 1_000_000n,
    daysLeft: 1,
  });
}
