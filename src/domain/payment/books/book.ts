import { v7 as uuidv7 } from 'uuid';
import type {
  AttemptStatus,
  Environment,
  FailureCode,
  PaymentStatus,
  PlanStatus,
  Prisma,
  SubscriptionStatus,
} from '../../../generated/prisma/client.ts';
import type { Traceparent } from '../../../tracing/trace.ts';
import type { RecordedEvent } from '../../event/record-event.ts';
import type { EventData, EventType } from '../../event/types.ts';
import { isLegal, type StatusChange } from '../../subscription/status.ts';
import type { RetrySettings } from '../retry.ts';

/** What collecting from a subscription, ending it or taking it up again may change of it. */
export interface SubscriptionState {
  readonly status: SubscriptionStatus;
  readonly nextPaymentAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly claimedUntil: Date | null;
  readonly paymentCount: number;
  readonly failureCount: number;
  readonly accessUntil: Date | null;
  readonly cancelledAt: Date | null;
  readonly closedAt: Date | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly lastSequence: number;
}

/** A subscription with all that collecting from it takes. */
export interface BookedSubscription extends SubscriptionState {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly address: string;
  readonly chainCreatedAt: bigint;
  readonly walletAddress: string;
  readonly tokenAccount: string;
  readonly metadata: Prisma.JsonValue;
  readonly plan: {
    readonly planId: string;
    readonly address: string;
    readonly planStatus: PlanStatus;
    readonly mint: string;
    readonly tokenProgram: string;
    readonly amount: bigint;
    readonly intervalSeconds: number;
    readonly trialPeriodSeconds: number;
  };
  readonly customer: { readonly email: string; readonly customerId: string | null };
  readonly merchant: { readonly walletAddress: string };
  readonly settings: RetrySettings;
}

/** An attempt whose transaction may still land. */
export interface SubmittedAttempt {
  readonly id: string;
  readonly transactionId: string;
  readonly signature: string;
  /** The trace that it was sent in. */
  readonly traceparent: Traceparent;
}

export interface BookedPayment {
  readonly id: string;
  /** Start of the chain's period, unix seconds: with the subscription its identity. */
  readonly periodStart: bigint;
  readonly dueAt: Date;
  readonly amount: bigint;
  readonly status: PaymentStatus;
  readonly number: number | null;
  readonly signature: string | null;
  readonly collectedByUs: boolean;
  readonly paidAt: Date | null;
  /** There is one at most. */
  readonly submitted: SubmittedAttempt | null;
}

/** An attempt to be written, or the end of one that was written before. */
export interface AttemptChange {
  readonly id: string;
  readonly paymentId: string;
  readonly status: AttemptStatus;
  readonly transactionId: string | null;
  readonly instruction: number | null;
  readonly failureCode: FailureCode | null;
  readonly amountRequired: bigint | null;
  readonly balanceAvailable: bigint | null;
  readonly settledAt: Date | null;
}

/** Why a payer could not pay. */
export interface PayerFailure {
  readonly code: FailureCode;
  /** What the payer had at hand, in base units. */
  readonly balanceAvailable: bigint;
}

export interface HistoryRow {
  readonly subscriptionId: string;
  readonly from: SubscriptionStatus;
  readonly to: SubscriptionStatus;
  readonly reason: string;
}

/**
 * One subscription, locked and in memory, with those of its payments that are at issue. Rules look at it and note in it
 * what changes; nothing is written before `writeBooks`, which writes what many books note at once.
 */
export class Book {
  #subscription: BookedSubscription;
  #payments = new Map<bigint, BookedPayment>();
  #spoiltBy: unknown;
  /** Of the attempt that has come to its end: what is told after it is told in its trace. */
  #traceparent: Traceparent = null;
  /** What it was when it was read: the status that a change is conditional on. */
  readonly statusRead: SubscriptionStatus;
  /** What is to be written. */
  readonly noted = {
    subscription: false,
    newPayments: new Set<bigint>(),
    changedPayments: new Set<bigint>(),
    newAttempts: [] as AttemptChange[],
    endedAttempts: [] as AttemptChange[],
    history: [] as HistoryRow[],
    events: [] as RecordedEvent[],
  };

  constructor(subscription: BookedSubscription) {
    this.#subscription = subscription;
    this.statusRead = subscription.status;
  }

  get subscription(): BookedSubscription {
    return this.#subscription;
  }

  /** What a rule threw: nothing of this book is written then. */
  get spoiltBy(): unknown {
    return this.#spoiltBy;
  }

  /** Applies a rule. Data that makes it throw spoils this book, and none of those it is written together with. */
  apply<T>(rule: (book: Book) => T): T | undefined {
    if (this.#spoiltBy !== undefined) return undefined;
    try {
      return rule(this);
    } catch (error) {
      this.#spoiltBy = error;
      return undefined;
    }
  }

  /** The payment of a period, where it has been read or made. */
  payment(periodStart: bigint): BookedPayment | undefined {
    return this.#payments.get(periodStart);
  }

  /** Those that have been read or made. */
  get payments(): readonly BookedPayment[] {
    return [...this.#payments.values()];
  }

  /** Takes over a payment as it stands in the database. */
  load(payment: BookedPayment): void {
    this.#payments.set(payment.periodStart, payment);
  }

  set(fields: Partial<Omit<SubscriptionState, 'status' | 'lastSequence'>>): void {
    this.#subscription = { ...this.#subscription, ...fields };
    this.noted.subscription = true;
  }

  /**
   * Moves the subscription along a legal edge, with the fields that go with it.
   *
   * @throws Error where no such edge exists: a bug of the caller
   */
  move(change: StatusChange, fields: Parameters<Book['set']>[0] = {}): void {
    const { id: subscriptionId, status } = this.#subscription;
    const { to, reason } = change;
    if (change.from !== status || !isLegal(change)) {
      throw new Error(`no subscription goes from ${status} to ${to} because ${reason}`);
    }
    this.set(fields);
    this.#subscription = { ...this.#subscription, status: to };
    this.noted.history.push({ subscriptionId, from: status, to, reason });
  }

  /** Records an event under the subscription's next sequence. */
  tell<T extends EventType>(type: T, data: EventData[T], at: Date): void {
    const { id: subscriptionId, merchantId, environment, lastSequence } = this.#subscription;
    const sequence = lastSequence + 1;
    this.#subscription = { ...this.#subscription, lastSequence: sequence };
    this.noted.subscription = true;
    const traceparent = this.#traceparent;
    this.noted.events.push({
      ...{ merchantId, environment, subscriptionId, sequence, type, data, at, traceparent },
    });
  }

  /** A payment that there has not been before. */
  addPayment(payment: Pick<BookedPayment, 'periodStart' | 'dueAt' | 'amount'>): BookedPayment {
    const added: BookedPayment = {
      ...{ number: null, signature: null, paidAt: null, submitted: null, collectedByUs: true },
      ...payment,
      id: uuidv7(),
      status: 'DUE',
    };
    this.load(added);
    this.noted.newPayments.add(payment.periodStart);
    return added;
  }

  setPayment(periodStart: bigint, fields: Partial<Omit<BookedPayment, 'id' | 'periodStart' | 'submitted'>>) {
    this.load({ ...this.#read(periodStart), ...fields });
    if (!this.noted.newPayments.has(periodStart)) this.noted.changedPayments.add(periodStart);
  }

  /** An attempt in a transaction that is about to be sent. */
  submit(
    { id, periodStart }: BookedPayment,
    transaction: { id: string; signature: string; traceparent: Traceparent },
    place: number,
  ) {
    const attempt = { id: uuidv7(), transactionId: transaction.id };
    this.load({
      ...this.#read(periodStart),
      submitted: {
        ...attempt,
        signature: transaction.signature,
        traceparent: transaction.traceparent,
      },
    });
    this.noted.newAttempts.push({
      ...NO_OUTCOME,
      ...attempt,
      paymentId: id,
      status: 'SUBMITTED',
      instruction: place,
    });
  }

  /** The submitted attempt of the payment has come to this. */
  endAttempt(payment: BookedPayment, status: 'SUCCEEDED' | 'VOID', settledAt: Date): void {
    if (!payment.submitted) throw new Error(`payment ${payment.id} has no submitted attempt`);
    const { id, transactionId } = payment.submitted;
    this.#traceparent = payment.submitted.traceparent;
    this.noted.endedAttempts.push({
      ...NO_OUTCOME,
      ...{ id, transactionId, status, settledAt, paymentId: payment.id },
    });
    this.load({ ...this.#read(payment.periodStart), submitted: null });
  }

  /** The payer could not pay: the end of the submitted attempt, or an attempt that was over before it was sent. */
  failAttempt(payment: BookedPayment, { code, balanceAvailable }: PayerFailure, at: Date): void {
    const { submitted } = payment;
    this.#traceparent = submitted?.traceparent ?? null;
    const attempt: AttemptChange = {
      ...NO_OUTCOME,
      id: submitted?.id ?? uuidv7(),
      paymentId: payment.id,
      transactionId: submitted?.transactionId ?? null,
      status: 'FAILED',
      failureCode: code,
      amountRequired: payment.amount,
      balanceAvailable,
      settledAt: at,
    };
    (submitted ? this.noted.endedAttempts : this.noted.newAttempts).push(attempt);
    this.load({ ...this.#read(payment.periodStart), submitted: null });
  }

  #read(periodStart: bigint): BookedPayment {
    const payment = this.#payments.get(periodStart);
    if (!payment) throw new Error(`the payment of ${periodStart} has not been read`);
    return payment;
  }
}

const NO_OUTCOME = {
  instruction: null,
  failureCode: null,
  amountRequired: null,
  balanceAvailable: null,
  settledAt: null,
};
