import { v7 as uuidv7 } from 'uuid';
import { derivedId } from '../../../db/derived-id.ts';
import type {
  AttemptStatus,
  Environment,
  FailureCode,
  PaymentKind,
  PaymentStatus,
  PlanProblem,
  PlanStatus,
  Prisma,
  SubscriptionStatus,
  WaivedReason,
  Waiver,
} from '../../../generated/prisma/client.ts';
import type { Traceparent } from '../../../observability/tracing/trace.ts';
import type { PlanRetries } from '../../accounts/merchant/retry-settings.ts';
import type { RecordedEvent } from '../../messages/event/record-event.ts';
import { startTimeOf } from '../../messages/event/start-time-of.ts';
import type { EventData, EventType } from '../../messages/event/types.ts';
import { type Line, totalOf } from '../price/line.ts';
import type { DiscountValue } from '../price/line-source.ts';
import { LINE_SOURCES } from '../price/line-sources.ts';
import { firstAttemptAt } from '../schedule/first-attempt.ts';
import { isLegal, type StatusChange } from './status.ts';

/** The columns of a subscription that billing changes. */
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
  /** What the next scheduled payment will be if nothing changes, in base units. */
  readonly nextAmount: bigint;
}

/** Payments that are not charged. */
export type BookedWaiver = Omit<Waiver, 'subscriptionId'>;

/** The discount of a subscription. */
export interface BookedDiscount extends DiscountValue {
  /** What the customer reads. */
  readonly name: string;
  /** Index of the first payment that it reduces. */
  readonly from: number;
  /** Index of the first payment after it that has the full price; null if it never ends. */
  readonly until: number | null;
}

/** A subscription with all data that collecting from it needs. */
export interface BookedSubscription extends SubscriptionState {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly address: string;
  readonly chainCreatedAt: bigint;
  readonly anchorOffsetSeconds: number;
  /** What its payments consist of beyond the plan's price: bits of `LINE_SOURCES`. */
  readonly lineSources: number;
  /** Its waivers that have not ended. */
  readonly waivers: readonly BookedWaiver[];
  readonly discount: BookedDiscount | null;
  /** What it contributes to the monthly recurring revenue while it is collected, in base units. */
  readonly mrr: bigint;
  /** Sequences of new events are higher: those up to here may have been given out before. */
  readonly sequenceFloor: number;
  readonly walletAddress: string;
  readonly tokenAccount: string;
  readonly metadata: Prisma.JsonValue;
  readonly plan: {
    readonly id: string;
    /** The merchant's id of it. */
    readonly planId: string;
    readonly name: string;
    readonly address: string;
    readonly planStatus: PlanStatus;
    /** The problem that blocked its payments when one was last due; null if there was none. */
    readonly problem: PlanProblem | null;
    readonly mint: string;
    readonly tokenProgram: string;
    /** The price of the subscription, in base units. */
    readonly amount: bigint;
    /** The limit: the most that the program lets through in a period, in base units. */
    readonly maxAmount: bigint;
    readonly periodSeconds: number;
    readonly intervalSeconds: number;
    /** Payments are first attempted within this time after their due date. */
    readonly collectWithinSeconds: number;
    /** When the plan ends on chain; null if it has no end. */
    readonly endsAt: Date | null;
  };
  readonly customer: { readonly email: string; readonly customerId: string | null };
  readonly merchant: { readonly walletAddress: string };
  readonly settings: PlanRetries;
}

/** An attempt whose transaction may still land. */
export interface SubmittedAttempt {
  readonly id: string;
  readonly transactionId: string;
  readonly signature: string;
  /** The trace in which it was sent. */
  readonly traceparent: Traceparent;
}

/** Names a payment among those of one subscription. */
export interface PaymentPosition {
  /** Start of the chain's period, in unix seconds. */
  readonly periodStart: bigint;
  /** Its number among the payments of the period, from 0. */
  readonly ordinal: number;
}

/** The position of a period's first payment, which is the scheduled one if the period has one. */
export const scheduledAt = (periodStart: bigint): PaymentPosition => ({ periodStart, ordinal: 0 });

export interface BookedPayment extends PaymentPosition {
  readonly id: string;
  readonly dueAt: Date;
  readonly kind: PaymentKind;
  /** What is owed, in base units: the sum of the lines. */
  readonly amount: bigint;
  /** Empty for a row of an earlier release. */
  readonly lines: readonly Line[];
  /** What was transferred, in base units. */
  readonly paidAmount: bigint;
  readonly status: PaymentStatus;
  readonly waivedReason: WaivedReason | null;
  readonly number: number | null;
  readonly signature: string | null;
  readonly collectedByUs: boolean;
  readonly paidAt: Date | null;
  /** The end of its period, if that is over without being decided; see `missOrLeave`. */
  readonly undecidedSince: Date | null;
  /** Whether an attempt failed because of the payer. */
  readonly hasFailed: boolean;
  /**
   * The transactions that were ever signed for it. Empty for the first payment of a period: it gets
   * every transfer that is of no other payment.
   */
  readonly signatures: readonly string[];
  /** The attempt in flight. There is at most one. */
  readonly submitted: SubmittedAttempt | null;
}

/** Whether a payment beside the scheduled one is still to be collected. */
export function isOpenExtra({ ordinal, status }: Pick<BookedPayment, 'ordinal' | 'status'>): boolean {
  return ordinal > 0 && status === 'DUE';
}

/** What payments of one period have received, in base units. */
export function paidAmountOf(payments: readonly Pick<BookedPayment, 'paidAmount'>[]): bigint {
  return payments.reduce((sum, { paidAmount }) => sum + paidAmount, 0n);
}

/** The columns of a payment that billing changes. What is owed never changes. */
export const PAYMENT_COLUMNS = [
  ...(['status', 'paidAmount', 'number', 'signature', 'collectedByUs', 'paidAt', 'undecidedSince'] as const),
  'waivedReason',
] as const;

export interface NewPayment extends Pick<BookedPayment, 'periodStart' | 'dueAt' | 'kind'> {
  readonly lines: readonly Line[];
  /** Why it is not charged, if a waiver says so. */
  readonly waivedReason?: WaivedReason | undefined;
}

/** A new attempt, or the outcome of an existing one. */
export interface AttemptChange {
  readonly id: string;
  readonly paymentId: string;
  readonly status: AttemptStatus;
  readonly transactionId: string | null;
  readonly instruction: number | null;
  readonly failureCode: FailureCode | null;
  readonly amountRequired: bigint | null;
  readonly balanceAvailable: bigint | null;
  /** Its part of the transaction's fee; null if that is not known. */
  readonly feeLamports: bigint | null;
  readonly settledAt: Date | null;
}

/** Why a payer could not pay. */
export interface PayerFailure {
  readonly code: FailureCode;
  /** The amount that could be pulled from the payer, in base units. */
  readonly balanceAvailable: bigint;
}

export interface HistoryRow {
  readonly subscriptionId: string;
  readonly from: SubscriptionStatus;
  readonly to: SubscriptionStatus;
  readonly reason: string;
}

/**
 * One subscription, locked and in memory, with the payments that a rule needs. Rules read it and
 * record changes in it. `writeBooks` writes the changes of many books together.
 */
export class Book {
  #subscription: BookedSubscription;
  /** By `keyOf`. */
  #payments = new Map<string, BookedPayment>();
  /** Starts of the periods whose payments were read from the database. */
  #read = new Set<bigint>();
  #newPayments = new Set<string>();
  #changedPayments = new Set<string>();
  #ruleError: unknown;
  /** The trace of the attempt that ended last. Later events belong to it. */
  #traceparent: Traceparent = null;
  /** The status that was read. The update is conditional on it. */
  readonly statusRead: SubscriptionStatus;
  /** The contribution to the revenue that was read. */
  readonly mrrRead: bigint;
  /** Changes that are not written yet. */
  readonly changes = {
    subscription: false,
    newAttempts: [] as AttemptChange[],
    endedAttempts: [] as AttemptChange[],
    history: [] as HistoryRow[],
    events: [] as RecordedEvent[],
    newWaivers: [] as BookedWaiver[],
    changedWaivers: [] as BookedWaiver[],
    /** Whether the state of the customer may have changed. A renewal does not change it. */
    access: false,
  };

  constructor(subscription: BookedSubscription) {
    this.#subscription = subscription;
    this.statusRead = subscription.status;
    this.mrrRead = subscription.mrr;
  }

  get subscription(): BookedSubscription {
    return this.#subscription;
  }

  /** The error of a rule. A book with an error is not written. */
  get ruleError(): unknown {
    return this.#ruleError;
  }

  /** Applies a rule. If it throws, this book is not written; the other books of the batch are. */
  apply<T>(rule: (book: Book) => T): T | undefined {
    if (this.#ruleError !== undefined) return undefined;
    try {
      return rule(this);
    } catch (error) {
      this.#ruleError = error;
      return undefined;
    }
  }

  /**
   * The payment at a position, or undefined if there is none.
   *
   * @throws Error if the period was not read: an unread payment must never look like a missing one
   */
  payment(position: PaymentPosition): BookedPayment | undefined {
    const payment = this.#payments.get(keyOf(position));
    if (!payment && !this.#read.has(position.periodStart)) throw new Error(notRead(position));
    return payment;
  }

  /**
   * All payments of a period, in the order of their ordinals.
   *
   * @throws Error if the period was not read
   */
  paymentsOf(periodStart: bigint): readonly BookedPayment[] {
    if (!this.#read.has(periodStart)) throw new Error(notRead(scheduledAt(periodStart)));
    return this.payments
      .filter((payment) => payment.periodStart === periodStart)
      .sort((a, b) => a.ordinal - b.ordinal);
  }

  /**
   * When a subscription with nothing in flight is tried next: at once if another payment of the
   * period is open, otherwise when the scheduled payment at `nextPaymentAt` is first attempted.
   */
  nextTry(periodStart: bigint, now: Date): Date {
    return this.paymentsOf(periodStart).some(isOpenExtra) ? now : this.firstAttemptAt;
  }

  /** When the scheduled payment at `nextPaymentAt` is first attempted. */
  get firstAttemptAt(): Date {
    return firstAttemptAt(this.#subscription, this.#subscription.nextPaymentAt);
  }

  /** Marks the payments of a period as read, whether or not there are any. */
  markRead(periodStart: bigint): void {
    this.#read.add(periodStart);
  }

  /** The payments that are not in the database yet. */
  get newPayments(): readonly BookedPayment[] {
    return this.#at(this.#newPayments);
  }

  /** The payments that differ from the database, without the new ones. */
  get changedPayments(): readonly BookedPayment[] {
    return this.#at(this.#changedPayments);
  }

  /** The payments that were read or added. */
  get payments(): readonly BookedPayment[] {
    return [...this.#payments.values()];
  }

  /** Adds a payment that was read from the database. */
  load(payment: BookedPayment): void {
    this.#payments.set(keyOf(payment), payment);
  }

  /** Sets what the subscription contributes to the monthly recurring revenue while it is collected. */
  setRevenue(mrr: bigint): void {
    this.#subscription = { ...this.#subscription, mrr };
  }

  set(fields: Partial<Omit<SubscriptionState, 'status' | 'lastSequence'>>): void {
    this.#subscription = { ...this.#subscription, ...fields };
    this.changes.subscription = true;
    const movesEnd = 'nextPaymentAt' in fields && this.#subscription.cancelAtPeriodEnd;
    if ('accessUntil' in fields || 'cancelAtPeriodEnd' in fields || movesEnd) this.changes.access = true;
  }

  /**
   * Changes the status by a legal transition, together with other fields.
   *
   * @throws Error if the transition is not legal, which is a bug of the caller
   */
  transition(change: StatusChange, fields: Parameters<Book['set']>[0] = {}): void {
    const { id: subscriptionId, status } = this.#subscription;
    const { to, reason } = change;
    if (change.from !== status || !isLegal(change)) {
      throw new Error(`illegal transition from ${status} to ${to} with reason ${reason}`);
    }
    // The access of an active subscription has no end.
    this.set(to === 'ACTIVE' ? { ...fields, accessUntil: null } : fields);
    this.#subscription = { ...this.#subscription, status: to };
    this.changes.history.push({ subscriptionId, from: status, to, reason });
    this.changes.access = true;
  }

  /**
   * Records an event under the subscription's next sequence.
   *
   * @param id the derived id of a fact from the chain; default a new one
   */
  recordEvent<T extends EventType>(type: T, data: EventData[T], at: Date, id?: string): void {
    const { id: subscriptionId, merchantId, environment, lastSequence, sequenceFloor } = this.#subscription;
    const sequence = Math.max(lastSequence, sequenceFloor) + 1;
    this.#subscription = { ...this.#subscription, lastSequence: sequence };
    this.changes.subscription = true;
    const traceparent = this.#traceparent;
    this.changes.events.push({
      id,
      merchantId,
      environment,
      subscriptionId,
      sequence,
      type,
      data: { ...data, ...startTimeOf(this.#subscription) },
      at,
      traceparent,
    });
  }

  /**
   * The id of a fact about a period, which is the same when it is read from the chain again. Its time
   * is the start of the period, because the stream does not tell the time of a block.
   */
  idInPeriod(periodStart: bigint, ...parts: readonly (string | bigint | number)[]): string {
    const { environment, address, chainCreatedAt } = this.#subscription;
    return derivedId(periodStart, environment, address, chainCreatedAt, periodStart, ...parts);
  }

  /** Adds the next payment of a period. It is due, or waived: by a waiver, or if its lines add up to 0. */
  addPayment({ lines, ...payment }: NewPayment): BookedPayment {
    const amount = totalOf(lines);
    const waivedReason = payment.waivedReason ?? (amount > 0n ? null : waivedReasonOf(lines));
    const { periodStart } = payment;
    const ordinal = this.paymentsOf(periodStart).length;
    const added: BookedPayment = {
      amount,
      lines,
      paidAmount: 0n,
      status: waivedReason === null ? 'DUE' : 'WAIVED',
      number: null,
      signature: null,
      paidAt: null,
      undecidedSince: null,
      signatures: [],
      submitted: null,
      hasFailed: false,
      collectedByUs: true,
      ...payment,
      waivedReason,
      ordinal,
      id: this.idInPeriod(periodStart, 'payment', ...(ordinal > 0 ? [ordinal] : [])),
    };
    this.load(added);
    this.#newPayments.add(keyOf(added));
    return added;
  }

  /** Changes columns of a payment, and returns it as it is then. */
  setPayment(
    position: PaymentPosition,
    fields: Partial<Pick<BookedPayment, (typeof PAYMENT_COLUMNS)[number]>>,
  ): BookedPayment {
    const changed = { ...this.#requirePayment(position), ...fields };
    this.load(changed);
    if (!this.#newPayments.has(keyOf(position))) this.#changedPayments.add(keyOf(position));
    return changed;
  }

  /** Moves the end of the discount, because a waiver changes too: `write-waivers.ts` writes both. */
  setDiscountEnd(until: number): void {
    const { discount } = this.#subscription;
    if (discount) this.#subscription = { ...this.#subscription, discount: { ...discount, until } };
  }

  /** Adds a waiver. The claim of a worker ends: it may have prepared a payment that is now waived. */
  addWaiver(waiver: BookedWaiver): void {
    this.changes.newWaivers.push(waiver);
    this.#setWaivers([...this.#subscription.waivers, waiver]);
    this.set({ claimedUntil: null });
  }

  /** Shortens a waiver, or ends it. */
  changeWaiver(waiver: BookedWaiver, fields: Partial<Pick<BookedWaiver, 'untilIndex' | 'endedAt'>>): void {
    const changed = { ...waiver, ...fields };
    this.changes.changedWaivers.push(changed);
    const others = this.#subscription.waivers.filter(({ id }) => id !== waiver.id);
    this.#setWaivers(changed.endedAt ? others : [...others, changed]);
  }

  #setWaivers(waivers: readonly BookedWaiver[]): void {
    const otherSources = this.#subscription.lineSources & ~LINE_SOURCES.WAIVER;
    const lineSources = otherSources | (waivers.length > 0 ? LINE_SOURCES.WAIVER : 0);
    this.#subscription = { ...this.#subscription, waivers, lineSources };
    this.changes.access = true;
  }

  /** Adds an attempt in a transaction that is about to be sent. */
  submit(
    payment: BookedPayment,
    transaction: { id: string; signature: string; traceparent: Traceparent },
    instruction: number,
  ) {
    const attempt = { id: uuidv7(), transactionId: transaction.id };
    this.load({
      ...this.#requirePayment(payment),
      signatures: [...payment.signatures, transaction.signature],
      submitted: {
        ...attempt,
        signature: transaction.signature,
        traceparent: transaction.traceparent,
      },
    });
    this.changes.newAttempts.push({
      ...NO_OUTCOME,
      ...attempt,
      paymentId: payment.id,
      status: 'SUBMITTED',
      instruction,
    });
  }

  /** Ends the submitted attempt of a payment, with its part of the fee. */
  endAttempt(
    payment: BookedPayment,
    status: 'SUCCEEDED' | 'VOID',
    settledAt: Date,
    feeLamports: bigint | null = null,
  ): void {
    if (!payment.submitted) throw new Error(`payment ${payment.id} has no submitted attempt`);
    const { id, transactionId } = payment.submitted;
    this.#traceparent = payment.submitted.traceparent;
    this.changes.endedAttempts.push({
      ...NO_OUTCOME,
      id,
      transactionId,
      status,
      feeLamports,
      settledAt,
      paymentId: payment.id,
    });
    this.load({ ...this.#requirePayment(payment), submitted: null });
  }

  /**
   * Records that the payer could not pay: ends the submitted attempt, or adds a failed attempt if
   * nothing was sent.
   */
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
    (submitted ? this.changes.endedAttempts : this.changes.newAttempts).push(attempt);
    this.load({ ...this.#requirePayment(payment), submitted: null, hasFailed: true });
  }

  #requirePayment(position: PaymentPosition): BookedPayment {
    const payment = this.#payments.get(keyOf(position));
    if (!payment) throw new Error(notRead(position));
    return payment;
  }

  #at(keys: ReadonlySet<string>): readonly BookedPayment[] {
    return [...keys].flatMap((key) => this.#payments.get(key) ?? []);
  }
}

/** Why nothing is owed although a payment has lines. */
export function waivedReasonOf(lines: readonly Line[]): WaivedReason {
  return lines.some(({ kind }) => kind === 'DISCOUNT') ? 'DISCOUNT' : 'NOTHING_OWED';
}

const keyOf = ({ periodStart, ordinal }: PaymentPosition) => `${periodStart}:${ordinal}`;

const notRead = ({ periodStart, ordinal }: PaymentPosition) =>
  `payment ${ordinal} of the period at ${periodStart} has not been read`;

const NO_OUTCOME = {
  instruction: null,
  failureCode: null,
  amountRequired: null,
  balanceAvailable: null,
  feeLamports: null,
  settledAt: null,
};
