// Finds errors in one customer's subscription: compares the expected result with the chain, the
// webhooks that the merchants' server received, and the API.
import type { TokenTransfer } from '../tools/chain-transfers.ts';
import type { AcceptedWebhook } from './merchant-server.ts';
import { type Expectation, LETTERS } from './parts.ts';

export interface Evidence {
  /** Transfers from the customer's account to the merchant's, oldest first. */
  readonly transfers: readonly TokenTransfer[];
  /** Webhooks in the order of arrival. */
  readonly webhooks: readonly AcceptedWebhook[];
  /** The subscriptions at the address as the merchant sees them. */
  readonly listed: readonly {
    readonly state: string;
    readonly paymentNumber: number;
    readonly startedAt: string;
  }[];
  readonly payments: readonly { readonly amount: bigint; readonly signature: string }[];
}

export interface Calendar {
  /** The Unix seconds at which each round began. */
  readonly rounds: readonly number[];
  /** The Unix seconds at which each subscription at the address began. */
  readonly creations: readonly number[];
  readonly intervalSeconds: number;
  readonly price: bigint;
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
    ...judgeBooks(expected, evidence),
    ...judgeWebhooks(expected, evidence),
  ];
}

function judgeCharges(
  { paid, mayPay }: Expectation,
  { rounds, creations, intervalSeconds, price }: Calendar,
  { transfers }: Evidence,
): Finding[] {
  const findings: Finding[] = [];
  const report = (what: string, detail: string) => findings.push({ what, detail });
  for (const { amount, signature } of transfers) {
    if (amount !== price) report('amount', `${amount} in ${signature}`);
  }
  const periods = Map.groupBy(transfers, ({ blockTime }) => {
    const subscription = creations.findLastIndex((start) => start <= blockTime);
    return `subscription ${subscription}, period ${Math.floor((blockTime - (creations[subscription] ?? 0)) / intervalSeconds)}`;
  });
  for (const [period, charges] of periods) {
    if (charges.length > 1) report('double charge', `${period}: ${signaturesOf(charges)}`);
  }
  const byRound = Map.groupBy(transfers, ({ blockTime }) =>
    rounds.findLastIndex((start) => start <= blockTime),
  );
  for (const round of paid.filter((paidRound) => !byRound.has(paidRound))) {
    report('missing charge', `no charge in round ${round}; the charges are ${signaturesOf(transfers)}`);
  }
  for (const [round, charges] of byRound) {
    if (paid.includes(round) || mayPay.includes(round)) continue;
    report('charge that is not due', `round ${round}: ${signaturesOf(charges)}`);
  }
  return findings;
}

function judgeBooks({ state }: Expectation, { transfers, listed, payments }: Evidence): Finding[] {
  const findings: Finding[] = [];
  const newest = listed.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt))[0];
  if (newest?.state !== state)
    findings.push({ what: 'status', detail: `is ${newest?.state}, should be ${state}` });
  const count = listed.reduce((sum, { paymentNumber }) => sum + paymentNumber, 0);
  if (count !== transfers.length) {
    findings.push({
      what: 'payment number',
      detail: `is ${count}, but there are ${transfers.length} charges`,
    });
  }
  if (sorted(transfers) !== sorted(payments)) {
    findings.push({ what: 'books', detail: `chain ${sorted(transfers)}; books ${sorted(payments)}` });
  }
  return findings;
}

/** Sequences are consecutive, and jump to the next multiple of 1,000 where a timeline begins. */
function mayFollow(earlier: number, sequence: number): boolean {
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
    findings.push({ what: 'story', detail: `${arrived}, should match ${story.source}` });
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
