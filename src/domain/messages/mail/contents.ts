// The words of all mails. Amounts and times come as text, and texts of merchants as `ForeignText`.
import type { FailureCode, PlanProblem } from '../../../generated/prisma/client.ts';
import type { ForeignText } from './foreign-text.ts';
import type { MailContent } from './mail-content.ts';

/** The details of a subscription in mails to its customer. */
export interface SubscribedTo {
  readonly company: ForeignText;
  readonly planName: ForeignText;
  /** `9.99 USDC every month`. */
  readonly price: string;
  readonly walletAddress: string;
  /** URL at which the customer manages the subscription. */
  readonly portalUrl: string;
}

const subscriptionFacts = ({ planName, price, walletAddress }: SubscribedTo) =>
  [
    ['Plan', planName],
    ['Price', price],
    ['Wallet', walletAddress],
  ] as const;

const manageLink = ({ portalUrl }: SubscribedTo) => ({ text: 'Manage the subscription', url: portalUrl });

export interface ReceiptFacts {
  readonly amount: string;
  readonly paidOn: string;
  readonly number: number;
  readonly nextPayment: string;
  readonly signature: string;
  /** The page of the receipt. */
  readonly url: string;
  /** The merchant's page to which the customer goes back; null if none is known. */
  readonly merchantUrl: string | null;
}

export function receiptMail(to: SubscribedTo, facts: ReceiptFacts): MailContent {
  return {
    subject: `Receipt from ${to.company}: ${facts.amount}`,
    title: `${facts.amount} received`,
    paragraphs: [`${to.company} has received your payment for ${to.planName}. Thank you.`],
    facts: [
      ['Amount', facts.amount],
      ['Paid on', facts.paidOn],
      ['Plan', to.planName],
      ['Payment', `number ${facts.number}`],
      ['Wallet', to.walletAddress],
      ['Next payment', facts.nextPayment],
      ['Transaction', facts.signature],
    ],
    link: { text: 'View the receipt', url: facts.url },
    links: [
      manageLink(to),
      ...(facts.merchantUrl === null ? [] : [{ text: `Back to ${to.company}`, url: facts.merchantUrl }]),
    ],
  };
}

export interface RefundFacts {
  readonly amount: string;
  /** The amount of the refunded payment. */
  readonly paymentAmount: string;
  readonly signature: string;
  /** The merchant's reason; null if none was given. */
  readonly reason: ForeignText | null;
  /** The page of the payment's receipt; null if it names another customer. */
  readonly url: string | null;
}

export function refundMail(to: SubscribedTo, facts: RefundFacts): MailContent {
  return {
    subject: `Refund from ${to.company}: ${facts.amount}`,
    title: `${facts.amount} refunded`,
    paragraphs: [
      `${to.company} has sent ${facts.amount} back to your wallet, for a payment of ${to.planName}.`,
    ],
    facts: [
      ['Refund', facts.amount],
      ['Payment', facts.paymentAmount],
      ['Plan', to.planName],
      ['Wallet', to.walletAddress],
      ...(facts.reason === null ? [] : [['Reason', facts.reason] as const]),
      ['Transaction', facts.signature],
    ],
    ...(facts.url !== null && { link: { text: 'View the receipt', url: facts.url } }),
    links: [manageLink(to)],
  };
}

export interface FailureFacts {
  readonly code: FailureCode;
  readonly required: string;
  readonly available: string;
  readonly missing: string;
  readonly after: AfterFailure;
}

/** What follows a failed payment, with times as text. */
export type AfterFailure =
  | {
      readonly kind: 'RETRY';
      readonly nextAttempt: string;
      /** The time of the last attempt. */
      readonly until: string;
      /** Whether the subscription stays after the last attempt, and waits for a top-up. */
      readonly isUntilPaid: boolean;
    }
  /** Its period ends: nothing until the next payment is due. */
  | { readonly kind: 'NEXT_PAYMENT'; readonly until: string }
  /** It waits for a top-up until its period ends. `accessUntil` is null if the access has ended. */
  | {
      readonly kind: 'UNTIL_PAID';
      readonly until: string;
      /** When the next payment is tried. */
      readonly nextAttempt: string;
      readonly accessUntil: string | null;
    };

export function paymentFailedMail(to: SubscribedTo, facts: FailureFacts): MailContent {
  return {
    subject: `Your payment to ${to.company} failed`,
    title: `The payment for ${to.planName} failed`,
    paragraphs: [whyItFailed(facts), whatFollows(facts.after)],
    facts: [
      ...subscriptionFacts(to),
      ['Required', facts.required],
      ['Available', facts.available],
      ['Until', facts.after.until],
    ],
    link: manageLink(to),
  };
}

function whatFollows(after: AfterFailure): string {
  switch (after.kind) {
    case 'RETRY': {
      const outcome = after.isUntilPaid
        ? 'it is collected later in its period, as soon as your wallet has the money, and you may have no access until then'
        : 'the subscription ends';
      return `The next attempt is on ${after.nextAttempt}, or sooner if the money arrives earlier. If the payment cannot be collected by ${after.until}, ${outcome}.`;
    }
    case 'NEXT_PAYMENT':
      return `This payment is not tried again, because its period ends. The next payment is due on ${after.until}.`;
    case 'UNTIL_PAID':
      return `The payment is collected as soon as your wallet has the money, until ${after.until}. The next payment is tried on ${after.nextAttempt}. ${
        after.accessUntil === null
          ? 'You have no access until a payment succeeds.'
          : `Without a payment your access ends on ${after.accessUntil}.`
      }`;
  }
}

function whyItFailed({ code, required, available, missing, after: { until } }: FailureFacts): string {
  switch (code) {
    case 'INSUFFICIENT_FUNDS':
      return `Your wallet has ${available}, and the payment needs ${required}. Please add ${missing} by ${until}.`;
    case 'APPROVAL_REVOKED':
      return 'Your wallet has taken back its approval of this subscription, or given it to another app. Please approve the subscription again.';
    case 'ACCOUNT_FROZEN':
      return 'The token account of your wallet is frozen. Please ask the issuer of the token.';
    case 'ACCOUNT_CLOSED':
      return `Your wallet has no account for this token any more. Please add ${required} by ${until}: that opens one.`;
  }
}

export function renewalReminderMail(to: SubscribedTo, dueOn: string): MailContent {
  return {
    subject: `${to.planName} renews on ${dueOn}`,
    title: `Your subscription renews on ${dueOn}`,
    paragraphs: [
      `The next payment for ${to.planName} by ${to.company} is due on ${dueOn}. It is collected from your wallet automatically. Please make sure that your wallet has enough.`,
    ],
    facts: [...subscriptionFacts(to), ['Due on', dueOn]],
    link: manageLink(to),
    notes: ['You can cancel at any time before that.'],
  };
}

export function trialEndsMail(to: SubscribedTo, dueOn: string): MailContent {
  return {
    subject: `Your trial of ${to.planName} ends on ${dueOn}`,
    title: `Your trial ends on ${dueOn}`,
    paragraphs: [
      `The first payment for ${to.planName} by ${to.company} is due on ${dueOn}. It is collected from your wallet automatically. To keep the subscription, you need to do nothing.`,
      'If you cancel before that, nothing is collected.',
    ],
    facts: [...subscriptionFacts(to), ['First payment', dueOn]],
    link: manageLink(to),
  };
}

/** @param accessUntil null if no paid time is left */
export function cancelledMail(to: SubscribedTo, accessUntil: string | null): MailContent {
  return {
    subject: `Your subscription to ${to.planName} is cancelled`,
    title: 'Your subscription is cancelled',
    paragraphs: [
      `Nothing more is collected for ${to.planName}.`,
      accessUntil === null ? 'No paid time is left.' : `What you have paid for lasts until ${accessUntil}.`,
    ],
    facts: subscriptionFacts(to),
    link: manageLink(to),
  };
}

/** A pause in the words of a mail. */
export interface PauseFacts {
  readonly from: string;
  /** Null: until it is resumed. */
  readonly until: string | null;
  readonly keepsAccess: boolean;
}

export function pausedMail(to: SubscribedTo, { from, until, keepsAccess }: PauseFacts): MailContent {
  const access = keepsAccess ? 'You keep access.' : 'You have no access in the pause.';
  return {
    subject: `Your subscription to ${to.planName} is paused from ${from}`,
    title: 'Your subscription is paused',
    paragraphs: [
      `Nothing is collected for ${to.planName} from ${from}. ${access}`,
      until === null
        ? `The pause lasts until it is resumed.`
        : `The pause ends on ${until}, when the next payment is collected from your wallet.`,
    ],
    facts: [...subscriptionFacts(to), ['Paused from', from], ['Paused until', until ?? 'it is resumed']],
    link: manageLink(to),
  };
}

export function pauseEndsMail(to: SubscribedTo, dueOn: string): MailContent {
  return {
    subject: `The pause of ${to.planName} ends on ${dueOn}`,
    title: `Your pause ends on ${dueOn}`,
    paragraphs: [
      `The first payment for ${to.planName} by ${to.company} after the pause is due on ${dueOn}. It is collected from your wallet automatically. Please make sure that your wallet has enough.`,
    ],
    facts: [...subscriptionFacts(to), ['Due on', dueOn]],
    link: manageLink(to),
    notes: ['You can cancel at any time before that.'],
  };
}

/** @param accessUntil null without a grace */
export function expiredMail(to: SubscribedTo, failureCount: number, accessUntil: string | null): MailContent {
  const times = failureCount === 1 ? 'once' : `${failureCount} times`;
  return {
    subject: `Your subscription to ${to.planName} has ended`,
    title: 'Your subscription has ended',
    paragraphs: [
      `The payment for ${to.planName} failed ${times}, so ${to.company} will not try it again.`,
      ...(accessUntil === null ? [] : [`Your access ends on ${accessUntil}.`]),
      `You are welcome to come back: subscribe again at ${to.company} with the same wallet, and it continues.`,
    ],
    facts: subscriptionFacts(to),
    link: manageLink(to),
  };
}

export function portalLinkMail(company: ForeignText, url: string, until: string): MailContent {
  return {
    subject: `Your link to ${company}`,
    title: 'Your subscriptions',
    paragraphs: [`Here is your link to your subscriptions at ${company}.`],
    link: { text: 'Open my subscriptions', url },
    notes: [
      `It works once, until ${until}.`,
      'If you did not ask for it, do nothing. Please do not forward it.',
    ],
  };
}

export function firstSaleMail(to: SubscribedTo, amount: string, url: string): MailContent {
  return {
    subject: `Your first payment: ${amount}`,
    title: `${amount} from your first customer`,
    paragraphs: [`A customer has paid for ${to.planName}, and the money is in your wallet. Congratulations.`],
    facts: [
      ['Amount', amount],
      ['Plan', to.planName],
      ['Wallet of the customer', to.walletAddress],
    ],
    link: { text: 'View the payment', url },
  };
}

export interface EndpointFacts {
  readonly endpointUrl: ForeignText;
  readonly failingSince: string | null;
  /** The endpoint in the dashboard. */
  readonly url: string;
}

export function endpointFailingMail({ endpointUrl, failingSince, url }: EndpointFacts): MailContent {
  return {
    subject: 'A webhook endpoint is failing',
    title: 'A webhook endpoint is failing',
    paragraphs: [
      `No delivery to ${endpointUrl} has succeeded ${failingSince === null ? 'for a while' : `since ${failingSince}`}. Deliveries are retried and kept in order.`,
      'After five days of failures the endpoint is disabled.',
    ],
    link: { text: 'View the endpoint', url },
  };
}

export function endpointDisabledMail(
  { endpointUrl, failingSince, url }: EndpointFacts,
  reason: 'GONE' | 'FAILING',
): MailContent {
  return {
    subject: 'A webhook endpoint was disabled',
    title: 'A webhook endpoint was disabled',
    paragraphs: [
      reason === 'GONE'
        ? `${endpointUrl} answered 410, which means that it wants no more webhooks.`
        : `All deliveries to ${endpointUrl} have failed ${failingSince === null ? 'for five days' : `since ${failingSince}`}.`,
      'It receives nothing until you enable it again. Pending deliveries are kept.',
    ],
    link: { text: 'View the endpoint', url },
  };
}

const PROBLEMS: Readonly<Record<PlanProblem, string>> = {
  NOT_FOUND: 'Its account is not on chain.',
  UNREADABLE: 'Its account on chain cannot be read.',
  NOT_OUR_PLAN_TO_PULL:
    'It does not name the current collector, which therefore may not collect its payments.',
  OTHER_DESTINATION: 'It names another receiver than your wallet.',
  RECEIVER_FROZEN: 'The token account of your wallet is frozen.',
  RECEIVER_REQUIRES_MEMO: 'The token account of your wallet accepts only transfers with a memo.',
  RECEIVER_CONFIDENTIAL: 'The token account of your wallet accepts only confidential transfers.',
  RECEIVER_UNREADABLE: 'The token account of your wallet cannot be read.',
  RECEIVER_MISSING: 'Your wallet has no account for the token. It was created once, and closed again.',
  MINT_TAKES_FEE: 'The issuer of the token now keeps a part of each transfer.',
  MINT_HAS_HOOK:
    'Transfers of the token now call a program of its issuer (a transfer hook), which is not supported.',
  MINT_PAUSED: 'The issuer of the token has stopped all transfers.',
};

export function planProblemMail(planName: ForeignText, problem: PlanProblem, url: string): MailContent {
  return {
    subject: `Payments of ${planName} cannot be collected`,
    title: `Payments of ${planName} wait for you`,
    paragraphs: [
      `${PROBLEMS[problem]} Until that is repaired, no payment of this plan is collected, and the payment of a period that ends before then is missed.`,
    ],
    link: { text: 'View the plan', url },
  };
}

export interface ScheduledFeeFacts {
  /** `1.5`. */
  readonly percent: string;
  /** Numbers of epochs of the cluster. */
  readonly fromEpoch: string;
  readonly epoch: string;
}

export function feeScheduledMail(
  planName: ForeignText,
  { percent, fromEpoch, epoch }: ScheduledFeeFacts,
  url: string,
): MailContent {
  return {
    subject: `The token of ${planName} gets a transfer fee`,
    title: `The token of ${planName} gets a transfer fee`,
    paragraphs: [
      `The issuer of the token keeps ${percent} % of each transfer from epoch ${fromEpoch} of the network on. Now it is epoch ${epoch}. An epoch of Solana takes about two days.`,
      'From then on no payment of this plan is collected, because it would not arrive in full. Ask the issuer of the token, or move your customers to a plan in another token.',
    ],
    link: { text: 'View the plan', url },
  };
}

export interface CollectorFacts {
  readonly environment: string;
  readonly address: string;
  readonly sol: string;
  /** Null if nothing was spent lately. */
  readonly daysLeft: number | null;
  readonly canPay: boolean;
  /** Whether it is a fee payer beside the collector. */
  readonly isFeePayer: boolean;
}

export function collectorLowMail({
  environment,
  address,
  sol,
  daysLeft,
  canPay,
  isFeePayer,
}: CollectorFacts): MailContent {
  const who = isFeePayer ? 'fee payer' : 'collector';
  const consequence = isFeePayer
    ? 'The others pay until the fee payer has SOL'
    : 'Nothing is collected until the collector has SOL';
  return {
    subject: canPay
      ? `The SOL of a ${environment} ${who} is running low`
      : `A ${environment} ${who} has no SOL`,
    title: canPay ? `Send the ${who} some SOL` : consequence,
    paragraphs: [
      canPay
        ? `At the current rate its SOL lasts ${daysLeft ?? 'a few'} days.`
        : 'It cannot pay the fees of transactions.',
    ],
    facts: [
      ['Address', address],
      ['Balance', `${sol} SOL`],
    ],
  };
}
