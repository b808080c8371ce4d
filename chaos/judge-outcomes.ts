// Finds errors in what became of each period of a subscription: charged, waived or missed, by the rows and by
// the chain, and whether the amounts are what the lines, the discounts and the checkout said.
import type { TokenTransfer } from '../tools/chain-transfers.ts';
import { byPeriod, type Calendar, type Finding, periodOf } from './judge.ts';
import type { Expectation } from './parts.ts';
import { sumOf } from './tokens.ts';

/** A payment as its merchant sees it. */
export interface ListedPayment {
  readonly kind: string;
  readonly status: string;
  /** In Unix seconds. */
  readonly dueAt: number;
  readonly amount: bigint;
  readonly paidAmount: bigint;
  readonly lines: readonly { readonly kind: string; readonly amount: bigint }[];
}

export interface Outcomes {
  /** Transfers from the customer's account to the merchant's, oldest first. */
  readonly transfers: readonly TokenTransfer[];
  readonly pulledByMerchant: ReadonlyMap<string, bigint>;
  readonly payments: readonly ListedPayment[];
  /** What checkouts showed when the wallet signed, and the Unix seconds before they were opened. */
  readonly signed: readonly { readonly at: number; readonly price: bigint }[];
}

const OVER = ['SUCCEEDED', 'WAIVED', 'MISSED'];

/** Returns all errors. */
export function judgeOutcomes(expected: Expectation, calendar: Calendar, outcomes: Outcomes): Finding[] {
  return [
    ...judgePeriods(calendar, outcomes),
    ...judgeCount(expected, calendar, outcomes),
    ...judgeReductions(expected, calendar, outcomes),
  ];
}

/** Compares each period's payments with its transfers. */
function judgePeriods(calendar: Calendar, { transfers, pulledByMerchant, payments }: Outcomes): Finding[] {
  const findings: Finding[] = [];
  const charged = byPeriod(transfers, calendar);
  const booked = Map.groupBy(payments, ({ dueAt }) => periodOf(dueAt, calendar));
  for (const period of new Set([...charged.keys(), ...booked.keys()])) {
    const report = (what: string, detail: string) => findings.push({ what, detail: `${period}: ${detail}` });
    const [ours, all] = [booked.get(period) ?? [], charged.get(period) ?? []];
    const sum = sumOf(all.map(({ amount }) => amount));
    const paid = sumOf(ours.map(({ paidAmount }) => paidAmount));
    if (paid !== sum) report('paid amount', `${paid} by the rows, ${sum} on chain`);
    const isWaived = ours.some(({ status }) => status === 'WAIVED');
    if (isWaived && all.some(({ signature }) => !pulledByMerchant.has(signature)))
      report('charge of a waived period', all.map(({ signature }) => signature).join(' '));
    const isPulled = all.some(({ signature }) => pulledByMerchant.has(signature));
    for (const { kind, status, amount, paidAmount, lines } of ours) {
      const ofKind = (name: string) =>
        sumOf(lines.filter((line) => line.kind === name).map((line) => line.amount));
      const [flat, off] = [ofKind('FLAT'), ofKind('DISCOUNT')];
      if (kind !== 'PERIOD') continue;
      if (flat !== calendar.price || flat + off !== amount)
        report('lines', `${flat} and ${off} are not ${amount}; the price is ${calendar.price}`);
      if (status === 'SUCCEEDED' && !isPulled && paidAmount !== amount)
        report('paid amount', `${paidAmount} of ${amount}`);
    }
  }
  return findings;
}

/** Each period that is over was charged, waived or missed, by the rows and by the chain. */
function judgeCount({ periods }: Expectation, calendar: Calendar, outcomes: Outcomes): Finding[] {
  if (!periods) return [];
  const { transfers, payments } = outcomes;
  const scheduled = payments.filter(({ kind }) => kind === 'PERIOD');
  const isOver = scheduled.filter(({ status }) => OVER.includes(status));
  const findings: Finding[] = [];
  const what = 'periods';
  const perPeriod = Map.groupBy(isOver, ({ dueAt }) => periodOf(dueAt, calendar));
  if (isOver.length !== periods.length || perPeriod.size !== periods.length) {
    const statuses = scheduled.map(({ status }) => status).join(' ');
    findings.push({ what, detail: `${periods.length} are over, the payments are ${statuses}` });
  }
  const charged = byPeriod(transfers, calendar).size;
  const left = isOver.filter(({ status }) => status !== 'SUCCEEDED').length;
  if (charged + left !== periods.length) {
    const detail = `${periods.length} are over, ${charged} charged on chain and ${left} waived or missed`;
    findings.push({ what, detail });
  }
  return findings;
}

/** A discount reduces as many payments as it has, and what a checkout showed is what is charged. */
function judgeReductions(
  { maxReduced }: Expectation,
  { reducedPrice }: Calendar,
  { transfers, signed }: Outcomes,
): Finding[] {
  const findings: Finding[] = [];
  const reduced = transfers.filter(({ amount }) => amount === reducedPrice);
  if (reduced.length > maxReduced)
    findings.push({ what: 'reduced payments', detail: `${reduced.length}, and there may be ${maxReduced}` });
  for (const { at, price } of signed) {
    const first = transfers.find(({ blockTime }) => blockTime >= at);
    if (first && first.amount !== price)
      findings.push({
        what: 'shown price',
        detail: `${price}, charged ${first.amount} in ${first.signature}`,
      });
  }
  return findings;
}
