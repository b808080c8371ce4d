// Finds errors in one customer's subscription: compares the expected result with the chain, the
// webhooks that the merchants' server received, and the API.
import type { TokenTransfer } from '../tools/chain-transfers.ts';
import type { AcceptedWebhook } from './merchant-server.ts';
import { type Expectation, LETTERS } from './parts.ts';
import { sumOf } from './tokens.ts';

export interface Evidence {
  /** Transfers from the customer's account to the merchant's, oldest first. */
  readonly transfers: readonly TokenTransfer[];
  /** Amounts of the transactions that the merchant signed without dues, by signature. */
  readonly pulledByMerchant: ReadonlyMap<string, bigint>;
  /** Webhooks in the order of arrival. */
  readonly webhooks: readonly AcceptedWebhook[];
  /** The subscriptions at the address as the merchant sees them. */
  readonly listed: readonly {
    readonly state: string;
    readonly paymentNumber: number;
    readonly startedAt: string;
  }[];
  /** What was paid, and the transaction that settled it. */
  readonly payments: readonly { readonly amount: bigint; readonly signature: string }[];
}

export interface Calendar {
  /** The Unix seconds at which each round began. */
  readonly rounds: readonly number[];
  /** The Unix seconds at which each subscription at the address began. */
  readonly creations: readonly number[];
  readonly intervalSeconds: number;
  readonly price: bigint;
  /** The price after a discount. */
  readonly reducedPrice: bigint;
  /** What the customer allowed for each period of the chain. */
  readonly limit: bigint;
}

export interface Finding {
  readonly what: string;
  readonly detail: string;
}

/** An error with its subscription, if it concerns one. */
export interface Wrong extends Finding {
  readonly subscription?: string;
  /** The part of the customer. */
  readonly part?: string;
}

/** Returns all errors. */
export function judge(expected: Expectation, calendar: Calendar, evidence: Evidence): Finding[] {
  return [
    ...judgeCharges(expected, calendar, evidence),
    ...judgeBooks(expected, calendar, evidence),
    ...judgeWebhooks(expected, evidence),
  ];
}

function judgeCharges(
  { paid, mayPay, reduced, mayReduce }: Expectation,
  { rounds, price, reducedPrice, limit, ...calendar }: Calendar,
  { transfers, pulledByMerchant }: Evidence,
): Finding[] {
  const findings: Finding[] = [];
  const report = (what: string, detail: string) => findings.push({ what, detail });
  const roundOf = ({ blockTime }: TokenTransfer) => rounds.findLastIndex((start) => start <= blockTime);
  for (const transfer of transfers) {
    const { amount, signature } = transfer;
    const round = roundOf(transfer);
    const mayBe = [
      ...(reduced.includes(round) ? [] : [price]),
      ...(reduced.includes(round) || mayReduce.includes(round) ? [reducedPrice] : []),
    ];
    const pulled = pulledByMerchant.get(signature);
    if (!(pulled === undefined ? mayBe : [pulled]).includes(amount))
      report('amount', `${amount} in ${signature}`);
  }
  for (const [period, charges] of byPeriod(transfers, calendar)) {
    const ours = charges.filter(({ signature }) => !pulledByMerchant.has(signature));
    if (ours.length > 1) report('double charge', `${period}: ${signaturesOf(ours)}`);
    if (sumOf(charges.map(({ amount }) => amount)) > limit)
      report('above the limit', `${period}: ${signaturesOf(charges)}`);
  }
  const byRound = Map.groupBy(transfers, roundOf);
  for (const round of paid.filter((paidRound) => !byRound.has(paidRound))) {
    report('missing charge', `no charge in round ${round}; the charges are ${signaturesOf(transfers)}`);
  }
  for (const [round, charges] of byRound) {
    if (paid.includes(round) || mayPay.includes(round)) continue;
    report('charge that is not due', `round ${round}: ${signaturesOf(charges)}`);
  }
  return findings;
}

/** The periods of the chain, in the order of their transfers. */
export function byPeriod(
  transfers: readonly TokenTransfer[],
  calendar: Pick<Calendar, 'creations' | 'intervalSeconds'>,
): Map<string, TokenTransfer[]> {
  return Map.groupBy(transfers, ({ blockTime }) => periodOf(blockTime, calendar));
}

/** The period of the chain that a time is in, as Unix seconds. */
export function periodOf(
  time: number,
  { creations, intervalSeconds }: Pick<Calendar, 'creations' | 'intervalSeconds'>,
): string {
  const subscription = creations.findLastIndex((start) => start <= time);
  const period = Math.floor((time - (creations[subscription] ?? 0)) / intervalSeconds);
  return `subscription ${subscription}, period ${period}`;
}

function judgeBooks(
  { state }: Expectation,
  calendar: Calendar,
  { transfers, listed, payments }: Evidence,
): Finding[] {
  const findings: Finding[] = [];
  const newest = listed.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))[0];
  if (newest?.state !== state)
    findings.push({ what: 'status', detail: `is ${newest?.state}, should be ${state}` });
  const count = listed.reduce((sum, { paymentNumber }) => sum + paymentNumber, 0);
  const periods = [...byPeriod(transfers, calendar).values()];
  if (count !== periods.length) {
    findings.push({
      what: 'payment number',
      detail: `is ${count}, but there are ${periods.length} paid periods`,
    });
  }
  // A period has one payment, which names one of its transfers.
  const paid = periods.map((charges) => {
    const named = charges.find(({ signature }) =>
      payments.some((payment) => payment.signature === signature),
    );
    return {
      signature: named?.signature ?? signaturesOf(charges),
      amount: sumOf(charges.map((c) => c.amount)),
    };
  });
  if (sorted(paid) !== sorted(payments)) {
    findings.push({ what: 'books', detail: `chain ${sorted(paid)}; books ${sorted(payments)}` });
  }
  return findings;
}

/** Sequences and versions are consecutive, and jump to the next multiple of 1,000 where a timeline begins. */
export function mayFollow(earlier: number, sequence: number): boolean {
  return sequence === earlier + 1 || (sequence > earlier && sequence % 1_000 === 1);
}

function judgeWebhooks({ story }: Expectation, { transfers, webhooks, listed }: Evidence): Finding[] {
  const findings: Finding[] = [];
  // dues promises no order between the webhooks of two subscriptions at one address. Their
  // `startedAt` distinguishes them.
  const subscriptions = Map.groupBy(webhooks, ({ data }) => data.startedAt);
  const starts = [...subscriptions.keys()].toSorted();
  const letters = starts.map((start) => lettersOf(subscriptions.get(start) ?? [])).join('');
  if (!story.test(letters)) {
    const arrived = lettersOf(webhooks) || 'no webhooks';
    const failures = webhooks.flatMap(({ data: { failureCode, balanceAvailable, nextAttemptDate } }) =>
      failureCode ? [`${failureCode} (${balanceAvailable}, next ${nextAttemptDate})`] : [],
    );
    findings.push({ what: 'story', detail: `${arrived}, should match ${story.source}; ${failures}` });
  }
  for (const [start, ofOne] of subscriptions) {
    const sequences = ofOne.map(({ sequence }) => sequence);
    if (!sequences.every((sequence, index) => mayFollow(sequences[index - 1] ?? 0, sequence)))
      findings.push({ what: 'order', detail: `${sequences}` });
    if (!listed.some(({ startedAt }) => startedAt === start))
      findings.push({ what: 'start', detail: `${start} of no subscription` });
  }
  const charges = webhooks
    .filter(({ event }) => event === 'subscription.payment_succeeded')
    .map(({ data: { signature = '', amount = '0' } }) => ({ signature, amount: BigInt(amount) }));
  if (sorted(charges) !== sorted(transfers)) {
    findings.push({ what: 'reported', detail: `chain ${sorted(transfers)}; webhooks ${sorted(charges)}` });
  }
  return findings;
}

function lettersOf(webhooks: readonly AcceptedWebhook[]): string {
  return webhooks.map(({ event }) => LETTERS[event] ?? '?').join('');
}

function sorted(charges: readonly { readonly signature: string; readonly amount: bigint }[]): string {
  return charges
    .map(({ signature, amount }) => `${signature} ${amount}`)
    .sort()
    .join(', ');
}

function signaturesOf(charges: readonly { readonly signature: string }[]): string {
  return charges.map(({ signature }) => signature).join(' ');
}
