import type { EventType } from '../event/types.ts';

interface Template {
  /** The recipient of the mail. */
  readonly to: 'CUSTOMER' | 'MERCHANT' | 'OPERATOR';
  /** The event that causes it; null if something else does. */
  readonly event: EventType | null;
  /** Whether merchants switch it on and off; the others are always sent. */
  readonly isSwitched: boolean;
  /** Whether it is an advance notice, which a customer may unsubscribe from. */
  readonly isReminder: boolean;
  /** A description for the merchant. */
  readonly description: string;
}

const toCustomer = { to: 'CUSTOMER', event: null, isSwitched: true, isReminder: false } as const;
const toMerchant = { to: 'MERCHANT', event: null, isSwitched: true, isReminder: false } as const;

/** All mails. */
export const templates = {
  RECEIPT: {
    ...toCustomer,
    event: 'subscription.payment_succeeded',
    description: 'To the customer: a payment was received.',
  },
  PAYMENT_FAILED: {
    ...toCustomer,
    event: 'subscription.payment_failed',
    description:
      'To the customer: a payment failed, what is missing and by when. Sent at the first failure of a payment, and once when it waits for a top-up.',
  },
  REFUND: {
    ...toCustomer,
    event: 'payment.refunded',
    description: 'To the customer: a payment, or a part of it, was sent back.',
  },
  RENEWAL_REMINDER: {
    ...toCustomer,
    isReminder: true,
    description: 'To the customer: the next payment is a few days away.',
  },
  TRIAL_ENDS: {
    ...toCustomer,
    isReminder: true,
    description: 'To the customer: the trial ends in three days, and the first payment follows.',
  },
  CANCELLED: {
    ...toCustomer,
    event: 'subscription.cancelled',
    description: 'To the customer: the subscription is cancelled, and until when access lasts.',
  },
  PAUSED: {
    ...toCustomer,
    event: 'subscription.paused',
    description: 'To the customer: the subscription is paused, and until when.',
  },
  PAUSE_ENDS: {
    ...toCustomer,
    isReminder: true,
    description: 'To the customer: the first payment after a pause is a few days away.',
  },
  EXPIRED: {
    ...toCustomer,
    event: 'subscription.expired',
    description: 'To the customer: the subscription ended because payments failed, and how to come back.',
  },
  PORTAL_LINK: {
    ...toCustomer,
    isSwitched: false,
    description:
      'To the customer: a link to their subscriptions, which they asked for. It cannot be switched off.',
  },
  FIRST_SALE: {
    ...toMerchant,
    event: 'subscription.payment_succeeded',
    description: 'To the merchant: the first payment was received.',
  },
  ENDPOINT_FAILING: {
    ...toMerchant,
    description: 'To the merchant: a webhook endpoint has failed for an hour.',
  },
  ENDPOINT_DISABLED: {
    ...toMerchant,
    event: 'endpoint.disabled',
    description: 'To the merchant: a webhook endpoint was disabled.',
  },
  PLAN_PROBLEM: {
    ...toMerchant,
    description: 'To the merchant: payments of a plan cannot be collected until it is repaired.',
  },
  FEE_SCHEDULED: {
    ...toMerchant,
    description:
      "To the merchant: the issuer of a plan's token begins to keep a part of each transfer in a few days.",
  },
  COLLECTOR_LOW: {
    to: 'OPERATOR',
    event: null,
    isSwitched: false,
    isReminder: false,
    description: 'To the operator: the SOL of a collector or fee payer is running low.',
  },
} as const satisfies Record<string, Template>;

export type TemplateName = keyof typeof templates;

export const templateNames = Object.keys(templates) as readonly TemplateName[];

/** The templates of a merchant: all but those for the operator. */
export const merchantTemplates = templateNames.filter((name) => templates[name].to !== 'OPERATOR');

/** The rules of a template, for code that works with any. */
export function templateOf(name: TemplateName): Template {
  return templates[name];
}

/** The kebab-case name, for example `payment-failed`. */
export function kebabCase(name: TemplateName): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** Whether this release has a template with this name. */
export function isTemplate(name: string): name is TemplateName {
  return name in templates;
}
