// Collects the evidence from outside: the chain's history over RPC, the received webhooks, and the
// API as a merchant sees it. It uses no code or tables of dues, except for `dues audit` at the end.
import { gql } from 'graphql-request';
import { readTransfersNaming, type TokenTransfer } from '../tools/chain-transfers.ts';
import { runDues } from '../tools/world/dues-process.ts';
import type { Customer } from './customers.ts';
import { type DiscountName, judgeDiscounts } from './discounts.ts';
import { judge, type Wrong } from './judge.ts';
import { judgeOutcomes, type ListedPayment } from './judge-outcomes.ts';
import { comesBack, type Expectation, expectationOf, expectationWhenCancelled } from './parts.ts';
import type { ChaosRefund } from './refunds.ts';
import { DAY_SECONDS, PRICE, REDUCED } from './schedule.ts';
import { type Page, type RefundSums, readAllPages, sumRefunds } from './sum-refunds.ts';
import { sumOf, tokenAccountOf } from './tokens.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

const PAGE = 100;

export interface CollectedEvidence {
  readonly wrong: readonly Wrong[];
  readonly subscriptions: number;
  readonly charges: number;
  readonly webhooks: number;
  readonly chargedOnChain: bigint;
  readonly reported: bigint;
  readonly booked: bigint;
  readonly receipts: number;
  /** Number of refunds that the merchants sent. */
  readonly refunds: number;
  readonly refunded: RefundSums;
}

/** A subscription as its merchant sees it. */
interface ListedSubscription {
  readonly subscriptionId: string;
  readonly state: string;
  readonly paymentNumber: number;
  readonly startedAt: string;
}

/** What a failover has changed about the evidence. */
export interface AfterFailover {
  readonly round: number;
  /** Ids of events that were delivered, and that are lost and listed: their story is told again. */
  readonly lostEvents: ReadonlySet<string>;
  /** Whether the cancellation of a customer was lost; undefined if its merchant did not cancel. */
  cancellationOf(customer: Customer): 'kept' | 'lost' | undefined;
}

/** @param roundStarts the Unix seconds at which each round began */
export async function collectEvidence(
  world: ChaosWorld,
  merchants: readonly ChaosMerchant[],
  {
    customers,
    refunds,
  }: { readonly customers: readonly Customer[]; readonly refunds: readonly ChaosRefund[] },
  roundStarts: readonly number[],
  after?: AfterFailover,
): Promise<CollectedEvidence> {
  const wrong: Wrong[] = [];
  const reported = Map.groupBy(
    world.merchantServer.accepted.filter(({ id }) => !after?.lostEvents.has(id)),
    ({ data }) => data.subscriptionId,
  );
  let [charges, receipts, chargedOnChain, booked] = [0, 0, 0n, 0n];
  const refunded: RefundSums[] = [];
  for (const merchant of merchants) {
    const account = tokenAccountOf(merchant.wallet.address);
    const allTransfers = await readTransfersNaming(world.network.rpcUrl, account);
    const transfers = allTransfers.filter(({ destination }) => destination === account);
    const sent = allTransfers.filter(({ source }) => source === account);
    const balance = await readBalance(world, account);
    const sum = sumOf(transfers.map(({ amount }) => amount));
    const expectedBalance = sum - sumOf(sent.map(({ amount }) => amount));
    if (balance !== expectedBalance)
      wrong.push({ what: 'tokens', detail: `${account} has ${balance}, its transfers ${expectedBalance}` });
    charges += transfers.length;
    chargedOnChain += sum;
    const listed = Map.groupBy(
      await listSubscriptions(world, merchant),
      ({ subscriptionId }) => subscriptionId,
    );
    const payments = Map.groupBy(await readPayments(world, merchant), ({ subscription }) => subscription);
    booked += sumOf([...payments.values()].flat().map(({ amount }) => amount));
    const merchantRefunds = refunds.filter((refund) => refund.merchant === merchant);
    const refundTotals = await sumRefunds(world, merchant, merchantRefunds, {
      charged: transfers,
      pulledByMerchant: new Set(customers.flatMap(({ pulledByMerchant }) => [...pulledByMerchant.keys()])),
      sent,
    });
    wrong.push(...refundTotals.wrong);
    refunded.push(refundTotals.sums);
    receipts += refundTotals.receipts;
    const merchantCustomers = customers.filter((customer) => customer.merchant === merchant);
    const outcomes = Map.groupBy(await listPayments(merchant), ({ subscription }) => subscription);
    const uses = merchantCustomers.flatMap(({ app, signed, hasSecondDiscount }) =>
      signed.map(({ discount }) => ({ wallet: app.address, discount, hasSecondDiscount })),
    );
    wrong.push(...judgeDiscounts(uses, await readTaken(merchant)));
    const explained = new Set<TokenTransfer>();
    for (const customer of merchantCustomers) {
      const { subscription } = customer;
      // A wallet may have subscriptions to two merchants, but not to two plans of one merchant.
      const source = tokenAccountOf(customer.app.address);
      const paid = transfers.filter((transfer) => transfer.source === source);
      for (const transfer of paid) explained.add(transfer);
      const { part } = customer.member;
      const { every } = customer.plan;
      const expected = expectedOf(customer, roundStarts, after);
      const calendar = {
        rounds: roundStarts,
        creations: customer.creations,
        intervalSeconds: every * DAY_SECONDS,
        price: PRICE,
        reducedPrice: REDUCED,
        limit: customer.plan.limit,
      };
      const { pulledByMerchant, signed } = customer;
      const onChain = { transfers: paid.toReversed(), pulledByMerchant };
      const findings = [
        ...judge(expected, calendar, {
          ...onChain,
          webhooks: reported.get(subscription) ?? [],
          listed: listed.get(subscription) ?? [],
          payments: payments.get(subscription) ?? [],
        }),
        ...judgeOutcomes(expected, calendar, {
          ...onChain,
          payments: outcomes.get(subscription) ?? [],
          signed,
        }),
      ];
      const partText = `${part.name}, round ${part.in}${comesBack(part) ? `, back in ${part.backIn}` : ''}`;
      wrong.push(...findings.map((finding) => ({ ...finding, subscription, part: partText })));
    }
    for (const { signature } of transfers.filter((transfer) => !explained.has(transfer))) {
      wrong.push({ what: 'a charge of no customer', detail: signature });
    }
  }
  const { refused } = world.merchantServer;
  if (refused > 0) wrong.push({ what: 'signature', detail: `${refused} webhooks do not verify` });
  const sides = ['onChain', 'booked', 'reported', 'outside'] as const;
  const [onChain, bookedRefunds, reportedRefunds, outside] = sides.map((side) =>
    sumOf(refunded.map((sums) => sums[side])),
  ) as [bigint, bigint, bigint, bigint];
  const sums = { onChain, booked: bookedRefunds, reported: reportedRefunds, outside };
  wrong.push(...(await Promise.all([runAudit(world, sums), stopAll(world)])).flat());
  return {
    wrong,
    charges,
    chargedOnChain,
    booked,
    receipts,
    refunds: refunds.length,
    refunded: sums,
    subscriptions: customers.length,
    webhooks: world.merchantServer.accepted.length,
    reported: sumOf(
      world.merchantServer.accepted
        .filter(({ event }) => event === 'subscription.payment_succeeded')
        .map(({ data }) => BigInt(data.amount ?? 0)),
    ),
  };
}

function expectedOf(
  customer: Customer,
  roundStarts: readonly number[],
  after: AfterFailover | undefined,
): Expectation {
  const { part, entry } = customer.member;
  const rounds = roundStarts.length;
  const cancellation = after?.cancellationOf(customer);
  if (after && cancellation)
    return expectationWhenCancelled(after.round, { rounds, isKept: cancellation === 'kept' });
  const created = entry !== 'seeded';
  const expected = expectationOf(part, { rounds, every: customer.plan.every, created });
  // The discounts of checkouts are for the first payment.
  const reduced = customer.signed
    .filter(({ discount }) => discount)
    .map(({ at }) => roundStarts.findLastIndex((start) => start <= at));
  return {
    ...expected,
    mayPay: expected.mayPay.filter((round) => !customer.waived.includes(round)),
    reduced: [...expected.reduced, ...reduced],
    maxReduced: expected.maxReduced + reduced.length,
  };
}

/**
 * Stops all processes. Each must still run, unless a fault killed it, and must stop with code 0.
 */
async function stopAll({ roles }: ChaosWorld): Promise<Wrong[]> {
  const ended = roles.filter(({ process }) => process.hasEndedUnexpectedly);
  const running = roles.filter((role) => !ended.includes(role));
  const codes = await Promise.all(
    running.map(async ({ process }) => [process.name, await process.stop()] as const),
  );
  return [
    ...ended.map(({ process }) => ({ what: 'process', detail: `${process.name} ended unexpectedly` })),
    ...roles
      .filter(({ process }) => process.failedStops > 0)
      .map(({ process }) => ({ what: 'process', detail: `${process.name} did not stop cleanly in the run` })),
    ...codes
      .filter(([, code]) => code !== 0)
      .map(([name, code]) => ({ what: 'process', detail: `${name} stopped with ${code}` })),
  ];
}

/**
 * Runs `dues audit`, which must find only the refunds that were sent again, and report the same sums
 * of refunds; and `dues audit --books` for the merchants whose customers acted. The rows of the
 * others were inserted, not made by dues.
 */
async function runAudit(world: ChaosWorld, { onChain, outside }: RefundSums): Promise<Wrong[]> {
  const { code, stdout, stderr } = await runDues(['audit'], world.env);
  const sumIn = (line: RegExp) =>
    sumOf([...stdout.matchAll(line)].map(([, amount = '']) => BigInt(amount.replace('.', ''))));
  const audited = [
    sumIn(/refunds: ([\d.]+) on chain/g),
    sumIn(/refunds: .*, ([\d.]+) booked/g),
    sumIn(/: ([\d.]+) more were sent by/g),
  ];
  const wrong: Wrong[] = [];
  // A refund that was sent again is a finding of the audit.
  if (code !== (outside > 0n ? 1 : 0) || `${audited}` !== `${[onChain, onChain, outside]}`) {
    const detail = `exit code ${code}, refunds ${audited}\n${stdout}${stderr}`;
    wrong.push({ what: 'dues audit', detail });
  }
  const merchants = Array.from(stdout.matchAll(/^([0-9a-f-]{36}) +Merchant \d/gm), ([, id = '']) => id);
  if (merchants.length === 0) wrong.push({ what: 'dues audit', detail: 'it names no merchant' });
  for (const merchant of merchants) {
    const books = await runDues(['audit', '--books', '--merchant', merchant], world.env);
    if (books.stdout.includes('test: the rows agree with one another.')) continue;
    wrong.push({ what: 'dues audit --books', detail: books.stdout + books.stderr });
  }
  return wrong;
}

async function listSubscriptions(
  world: ChaosWorld,
  { apiKey }: ChaosMerchant,
): Promise<ListedSubscription[]> {
  const subscriptions: ListedSubscription[] = [];
  for (let page = 1; ; page += 1) {
    const response = await fetch(`${world.apiUrl}/api/subscriptions?page=${page}&limit=${PAGE}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data, pagination } = (await response.json()) as {
      data: ListedSubscription[];
      pagination: { pages: number };
    };
    subscriptions.push(...data);
    if (page >= pagination.pages) return subscriptions;
  }
}

/** The successful payments in the merchant's CSV export. */
async function readPayments(world: ChaosWorld, { apiKey }: ChaosMerchant) {
  const response = await fetch(`${world.apiUrl}/api/exports/payments.csv?status=succeeded`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const [header = '', ...lines] = (await response.text()).trim().split(/\r?\n/);
  const columns = header.replace('\ufeff', '').split(',');
  const indexOf = (name: string) => columns.indexOf(name);
  return lines.map((line) => {
    // The fields that are read here, and those before them, contain no comma.
    const fields = line.split(',');
    return {
      subscription: fields[indexOf('subscriptionId')] ?? '',
      amount: BigInt(fields[indexOf('paidAmount')] ?? 0),
      signature: fields[indexOf('signature')] ?? '',
    };
  });
}

/** All payments as the merchant sees them. */
async function listPayments({
  graphql,
}: ChaosMerchant): Promise<(ListedPayment & { readonly subscription: string })[]> {
  interface Row extends Record<'kind' | 'status' | 'dueAt' | 'amount', string> {
    readonly paidAmount: string | null;
    readonly lines: readonly { readonly kind: string; readonly amount: string }[];
    readonly subscription: { readonly id: string };
  }
  const query = gql`
    query ($first: Int!, $after: String) {
      payments(first: $first, after: $after) {
        edges {
          node {
            kind
            status
            dueAt
            amount
            paidAmount
            lines {
              kind
              amount
            }
            subscription {
              id
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  `;
  const rows = await readAllPages(async (after) => {
    const { payments } = await graphql.request<{ payments: Page<Row> }>(query, { first: PAGE, after });
    return payments;
  });
  return rows.map(({ kind, status, dueAt, amount, paidAmount, lines, subscription }) => ({
    subscription: subscription.id,
    kind,
    status,
    dueAt: Date.parse(dueAt) / 1000,
    amount: BigInt(amount),
    paidAmount: BigInt(paidAmount ?? 0),
    lines: lines.map((line) => ({ kind: line.kind, amount: BigInt(line.amount) })),
  }));
}

/** How often dues says that each discount is used. */
async function readTaken({ backend, discounts }: ChaosMerchant) {
  const taken: Partial<Record<DiscountName, number>> = {};
  for (const [name, id] of discounts) taken[name as DiscountName] = await backend.takenOf(id);
  return taken;
}

async function readBalance(world: ChaosWorld, account: string): Promise<bigint> {
  const { value } = await world.network.client.call<{ value: { amount: string } }>('getTokenAccountBalance', [
    account,
    { commitment: 'confirmed' },
  ]);
  return BigInt(value.amount);
}
