import type { AppContext } from '../../../app.ts';
import { dateOf } from '../../../chain/chain-time.ts';
import type {
  Customer,
  Environment,
  Merchant,
  Plan,
  Prisma,
  Subscription,
} from '../../../generated/prisma/client.ts';
import { decryptSecret } from '../../../secrets.ts';
import { portalUrl } from '../../accounts/customer/portal-url.ts';
import { receiptUrl } from '../../accounts/customer/receipt-link.ts';
import { merchantPage } from '../../accounts/merchant/merchant-page.ts';
import { retriesOf } from '../../accounts/merchant/retry-settings.ts';
import { settingsOf } from '../../accounts/merchant/settings.ts';
import { dateText, dateTimeText } from '../../catalog/money/date-text.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';
import { durationText } from '../../catalog/money/duration-text.ts';
import { chargedAt } from '../../catalog/plan/charged-at.ts';
import type { EventData, EventType } from '../event/types.ts';
import {
  type AfterFailure,
  cancelledMail,
  collectorLowMail,
  endpointDisabledMail,
  endpointFailingMail,
  expiredMail,
  feeScheduledMail,
  firstSaleMail,
  pausedMail,
  pauseEndsMail,
  paymentFailedMail,
  planProblemMail,
  portalLinkMail,
  receiptMail,
  refundMail,
  renewalReminderMail,
  type SubscribedTo,
  trialEndsMail,
} from './contents.ts';
import { type ForeignText, foreignText, senderName } from './foreign-text.ts';
import { lastAttemptAt } from './last-attempt.ts';
import type { MailBrand, MailContent } from './mail-content.ts';
import { readContent } from './mail-row-content.ts';
import { type AmountText, amountTexts } from './mail-texts.ts';
import { type TemplateName, templateOf } from './templates.ts';

export type ComposingContext = Pick<AppContext, 'config' | 'db' | 'chain' | 'away' | 'clock' | 'log'>;

/** A stored mail that is due. */
export interface DueMail {
  readonly id: string;
  readonly merchantId: string | null;
  readonly environment: Environment | null;
  readonly template: TemplateName;
  readonly content: Prisma.JsonValue;
  readonly expiresAt: Date;
}

export interface ComposedMail {
  readonly content: MailContent;
  readonly brand: MailBrand;
  /** The customer of a reminder, who may unsubscribe. */
  readonly customerId?: string;
}

/** The content of a mail is no longer true, so it is not sent. */
export class MailOutdated extends Error {
  override name = 'MailOutdated';
}

/**
 * Composes a mail from the current data.
 *
 * @throws MailOutdated
 */
export async function composeMail(ctx: ComposingContext, mail: DueMail): Promise<ComposedMail> {
  const { merchantId, environment, template } = mail;
  const merchant =
    merchantId === null ? null : await ctx.db.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const input: ComposeInput = {
    ctx,
    mail,
    merchant,
    company: foreignText(merchant?.companyName ?? ''),
    environment: environment ?? 'TEST',
  };
  const { content, customerId } = await COMPOSERS[template](input);
  const brand = brandOf(ctx.config, templateOf(template).to === 'CUSTOMER' ? merchant : null, environment);
  return { content, brand, ...(customerId !== undefined && { customerId }) };
}

/** The brand of a merchant's mails to customers, or of our own to merchants and the operator. */
export function brandOf(
  config: AppContext['config'],
  merchant: Pick<Merchant, 'companyName' | 'logoUrl' | 'brandColor' | 'supportEmail'> | null,
  environment: Environment | null,
): MailBrand {
  const isTest = environment === 'TEST';
  const operator = config.mail?.from.name || 'dues';
  if (!merchant) {
    return { name: operator, fromName: operator, logoUrl: null, color: null, supportEmail: null, isTest };
  }
  const { logoUrl, brandColor: color, supportEmail } = merchant;
  const name = foreignText(merchant.companyName);
  return { name, fromName: senderName(name, operator), logoUrl, color, supportEmail, isTest };
}

/** A page of the dashboard, for a path like `/plans/pro`. */
export function dashboardPage(
  { publicUrl }: AppContext['config'],
  environment: Environment,
  path: string,
): string {
  return `${publicUrl}/dashboard/${environment.toLowerCase()}${path}`;
}

interface ComposeInput {
  readonly ctx: ComposingContext;
  readonly mail: DueMail;
  readonly merchant: Merchant | null;
  readonly company: ForeignText;
  readonly environment: Environment;
}

type Composed = Pick<ComposedMail, 'content' | 'customerId'>;

const COMPOSERS: Readonly<Record<TemplateName, (input: ComposeInput) => Promise<Composed>>> = {
  async RECEIPT(input) {
    const event = await readSubscriptionEvent(input, 'subscription.payment_succeeded');
    const { data, at, to, amount, subscription } = event;
    return {
      content: receiptMail(to, {
        amount: amount(BigInt(data.amount)),
        paidOn: dateTimeText(at),
        number: data.paymentNumber,
        nextPayment: dateText(new Date(data.nextPaymentDate)),
        signature: data.signature,
        url: receiptUrl(input.ctx.config, data.paymentId),
        merchantUrl: await merchantPage(input.ctx, subscription),
      }),
    };
  },
  async PAYMENT_FAILED(input) {
    const event = await readSubscriptionEvent(input, 'subscription.payment_failed');
    const { data, to, amount, subscription } = event;
    assertStill(subscription.status === 'PAST_DUE', 'the payment is no longer overdue');
    const required = BigInt(data.amountRequired);
    const available = BigInt(data.balanceAvailable);
    return {
      content: paymentFailedMail(to, {
        code: data.failureCode,
        required: amount(required),
        available: amount(available),
        missing: amount(required > available ? required - available : 0n),
        after: await afterFailure(input, event),
      }),
    };
  },
  async REFUND(input) {
    const { data, to, amount } = await readSubscriptionEvent(input, 'payment.refunded');
    const hasReceipt = await isReceiptOf(input, data.paymentId, data.customer.email);
    return {
      content: refundMail(to, {
        amount: amount(BigInt(data.amount)),
        paymentAmount: amount(BigInt(data.paymentAmount)),
        signature: data.signature,
        reason: data.reason === null ? null : foreignText(data.reason),
        url: hasReceipt ? receiptUrl(input.ctx.config, data.paymentId) : null,
      }),
    };
  },
  async RENEWAL_REMINDER(input) {
    const { to, dueAt, customerId } = await readReminder(input);
    return { content: renewalReminderMail(to, dateText(dueAt)), customerId };
  },
  async TRIAL_ENDS(input) {
    const { to, dueAt, customerId } = await readReminder(input);
    return { content: trialEndsMail(to, dateText(dueAt)), customerId };
  },
  async CANCELLED(input) {
    const { data, to, subscription } = await readSubscriptionEvent(input, 'subscription.cancelled');
    assertStill(subscription.status === 'CANCELLED', 'the subscription is no longer cancelled');
    const until = data.accessUntil === null ? null : dateText(new Date(data.accessUntil));
    return { content: cancelledMail(to, until) };
  },
  async PAUSED(input) {
    const { data, to, subscription } = await readSubscriptionEvent(input, 'subscription.paused');
    const { pausedFrom, status } = subscription;
    const isPaused = status === 'ACTIVE' && pausedFrom?.toISOString() === data.pausedFrom;
    assertStill(isPaused, 'the subscription is no longer paused');
    const until = data.pausedUntil === null ? null : dateText(new Date(data.pausedUntil));
    const from = dateText(new Date(data.pausedFrom));
    return { content: pausedMail(to, { from, until, keepsAccess: data.keepsAccess }) };
  },
  async PAUSE_ENDS(input) {
    const { to, dueAt, customerId } = await readReminder(input);
    return { content: pauseEndsMail(to, dateText(dueAt)), customerId };
  },
  async EXPIRED(input) {
    const { data, to, subscription } = await readSubscriptionEvent(input, 'subscription.expired');
    assertStill(subscription.status === 'EXPIRED', 'the subscription is active again');
    const { accessUntil } = subscription;
    const hasGrace = accessUntil !== null && accessUntil > input.ctx.clock.now();
    return { content: expiredMail(to, data.failureCount, hasGrace ? dateTimeText(accessUntil) : null) };
  },
  async PORTAL_LINK({ ctx, mail, company }) {
    const { link, expiresAt } = readContent('PORTAL_LINK', mail.content);
    const url = decryptSecret(ctx.config.secretKey, Buffer.from(link, 'base64'));
    return {
      content: portalLinkMail(company, url, dateTimeText(expiresAt ? new Date(expiresAt) : mail.expiresAt)),
    };
  },
  async FIRST_SALE(input) {
    const { data, to, amount } = await readSubscriptionEvent(input, 'subscription.payment_succeeded');
    const url = dashboardPage(input.ctx.config, input.environment, `/payments/${data.paymentId}`);
    return { content: firstSaleMail(to, amount(BigInt(data.amount)), url) };
  },
  async ENDPOINT_FAILING({ ctx, mail, environment }) {
    const { endpointId: id, failingSince } = readContent('ENDPOINT_FAILING', mail.content);
    const endpoint = await ctx.db.webhookEndpoint.findUnique({ where: { id } });
    const isSame = endpoint?.failingSince?.toISOString() === failingSince;
    assertStill(isSame && endpoint?.status === 'ENABLED', 'the endpoint no longer fails');
    return {
      content: endpointFailingMail({
        endpointUrl: foreignText(endpoint?.url ?? ''),
        failingSince: dateTimeText(new Date(failingSince)),
        url: dashboardPage(ctx.config, environment, `/webhooks/${id}`),
      }),
    };
  },
  async ENDPOINT_DISABLED(input) {
    const { data } = await readEvent(input, 'endpoint.disabled');
    const { endpointId, failingSince, reason } = data;
    const facts = {
      endpointUrl: foreignText(data.url),
      failingSince: failingSince === null ? null : dateTimeText(new Date(failingSince)),
      url: dashboardPage(input.ctx.config, input.environment, `/webhooks/${endpointId}`),
    };
    return { content: endpointDisabledMail(facts, reason) };
  },
  async PLAN_PROBLEM({ ctx, mail, environment }) {
    const { planRowId: id, problem } = readContent('PLAN_PROBLEM', mail.content);
    const plan = await ctx.db.plan.findUnique({ where: { id } });
    assertStill(plan?.currentProblem === problem, 'the plan no longer has this problem');
    const url = dashboardPage(ctx.config, environment, `/plans/${encodeURIComponent(plan?.planId ?? '')}`);
    return { content: planProblemMail(foreignText(plan?.name ?? ''), problem, url) };
  },
  async FEE_SCHEDULED({ ctx, mail, environment }) {
    const { planRowId: id, basisPoints, ...epochs } = readContent('FEE_SCHEDULED', mail.content);
    const plan = await ctx.db.plan.findUniqueOrThrow({ where: { id } });
    const url = dashboardPage(ctx.config, environment, `/plans/${encodeURIComponent(plan.planId)}`);
    const facts = { ...epochs, percent: toDecimal(BigInt(basisPoints), 2) };
    return { content: feeScheduledMail(foreignText(plan.name), facts, url) };
  },
  async COLLECTOR_LOW({ mail }) {
    const { lamports, ...facts } = readContent('COLLECTOR_LOW', mail.content);
    return { content: collectorLowMail({ ...facts, sol: toDecimal(BigInt(lamports), 9) }) };
  },
};

/** @throws MailOutdated if the payment no longer waits for a top-up */
async function afterFailure(
  { ctx }: ComposeInput,
  {
    data,
    at,
    subscription,
  }: Subscribed & { readonly data: EventData['subscription.payment_failed']; readonly at: Date },
): Promise<AfterFailure> {
  const { accessUntil, plan } = subscription;
  const nextAttempt = dateTimeText(new Date(data.nextAttemptDate ?? at));
  switch (data.noRetryReason) {
    case 'PERIOD_ENDS':
      return { kind: 'NEXT_PAYMENT', until: nextAttempt };
    case 'UNTIL_PAID': {
      assertStill(accessUntil !== null, 'the payment no longer waits for a top-up');
      const isOver = accessUntil <= ctx.clock.now();
      const { paymentId: id } = data;
      const { periodStart } = await ctx.db.payment.findUniqueOrThrow({ where: { id } });
      const until = dateTimeText(dateOf(periodStart + BigInt(plan.periodSeconds)));
      return {
        kind: 'UNTIL_PAID',
        until,
        nextAttempt,
        accessUntil: isOver ? null : dateTimeText(accessUntil),
      };
    }
    default: {
      const retries = retriesOf(plan.retryPolicy, await settingsOf(ctx.db, plan));
      const until = dateTimeText(lastAttemptAt(at, retries));
      return { kind: 'RETRY', nextAttempt, until, isUntilPaid: retries.isUntilPaid };
    }
  }
}

/** Whether the receipt of a payment was issued to the customer with this email. */
async function isReceiptOf({ ctx }: ComposeInput, paymentId: string, email: string): Promise<boolean> {
  const receipt = await ctx.db.receipt.findUnique({ where: { paymentId }, select: { customerId: true } });
  if (!receipt) return false;
  const { customerId: id } = receipt;
  return (await ctx.db.customer.count({ where: { id, email } })) > 0;
}

function assertStill(isTrue: boolean, reason: string): asserts isTrue {
  if (!isTrue) throw new MailOutdated(reason);
}

/** The event of a mail, which is never deleted. */
async function readEvent<T extends EventType>(
  { ctx, mail }: ComposeInput,
  type: T,
): Promise<{ data: EventData[T]; at: Date; subscriptionId: string | null }> {
  const { eventId: id } = readContent('RECEIPT', mail.content);
  const event = await ctx.db.event.findUniqueOrThrow({ where: { id } });
  if (event.type !== type) throw new Error(`event ${id} of mail ${mail.id} is ${event.type}, not ${type}`);
  const data = event.data as unknown as EventData[T];
  return { data, at: event.createdAt, subscriptionId: event.subscriptionId };
}

interface Subscribed {
  readonly subscription: Subscription & { readonly plan: Plan; readonly customer: Customer };
  readonly to: SubscribedTo;
  readonly amount: AmountText;
}

async function readSubscriptionEvent<T extends EventType>(input: ComposeInput, type: T) {
  const event = await readEvent(input, type);
  return { ...event, ...(await readSubscription(input, event.subscriptionId ?? '')) };
}

async function readSubscription(
  { ctx, company, environment }: ComposeInput,
  id: string,
): Promise<Subscribed> {
  const subscription = await ctx.db.subscription.findUniqueOrThrow({
    where: { id },
    include: { plan: true, customer: true },
  });
  const { plan, nextAmount, walletAddress } = subscription;
  const amount = await amountTexts(ctx, environment, plan.mint);
  const price = `${amount(nextAmount)} every ${durationText(plan.intervalSeconds)}`;
  const to = {
    company,
    planName: foreignText(plan.name),
    price,
    walletAddress,
    portalUrl: portalUrl(ctx.config, id),
  };
  return { subscription, amount, to };
}

async function readReminder(
  input: ComposeInput,
): Promise<{ to: SubscribedTo; dueAt: Date; customerId: string }> {
  const { subscriptionId, dueAt } = readContent('RENEWAL_REMINDER', input.mail.content);
  const { subscription, to } = await readSubscription(input, subscriptionId);
  const { status, cancelAtPeriodEnd, nextPaymentAt, customer } = subscription;
  const isAhead = chargedAt(subscription)?.toISOString() === dueAt && nextPaymentAt > input.ctx.clock.now();
  assertStill(status === 'ACTIVE' && !cancelAtPeriodEnd && isAhead, 'the payment is no longer ahead');
  assertStill(customer.remindersOffAt === null, 'the customer wants no reminders');
  return { to, dueAt: nextPaymentAt, customerId: customer.id };
}
