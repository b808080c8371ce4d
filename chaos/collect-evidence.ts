// Collects the evidence from outside: the chain's history by RPC, the received webhooks, and the
// API as a merchant sees it. It uses none of dues' code and tables, apart from `dues audit` at the
// end.
import { type TokenTransfer, transfersNaming } from '../tools/chain-transfers.ts';
import { runDues } from '../tools/dues-process.ts';
import { type Customer, PRICE } from './customers.ts';
import { judge, type Wrong } from './judge.ts';
import { comesBack, expectationOf } from './parts.ts';
import { DAY } from './plan.ts';
import type { ChaosRefund } from './refunds.ts';
import { type RefundSums, sumRefunds } from './sum-refunds.ts';
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
interface Listed {
  readonly subscriptionId: string;
  readonly state: string;
  readonly paymentNumber: number;
  readonly startedAt: string;
}

/** @param roundStarts when each round began, in unix seconds */
export async function collectEvidence(
  world: ChaosWorld,
  merchants: readonly ChaosMerchant[],
  {
    customers,
    refunds,
  }: { readonly customers: readonly Customer[]; readonly refunds: readonly ChaosRefund[] },
  roundStarts: readonly number[],
): Promise<CollectedEvidence> {
  const wrong: Wrong[] = [];
  const reported = Map.groupBy(world.merchantServer.reported, ({ data }) => data.subscriptionId);
  let [charges, receipts, chargedOnChain, booked] = [0, 0, 0n, 0n];
  const refunded: RefundSums[] = [];
  for (const merchant of merchants) {
    const account = tokenAccountOf(merchant.wallet.address);
    const all = await transfersNaming(world.network.rpcUrl, account);
    const transfers = all.filter(({ destination }) => destination === account);
    const sent = all.filter(({ source }) => source === account);
    const balance = await balanceOf(world, account);
    const sum = sumOf(transfers.map(({ amount }) => amount));
    const left = sum - sumOf(sent.map(({ amount }) => amount));
    if (balance !== left)
      wrong.push({ what: 'tokens', detail: `${account} has ${balance}, transfers ${left}` });
    charges += transfers.length;
    chargedOnChain += sum;
    const listed = Map.groupBy(await listOf(world, merchant), ({ subscriptionId }) => subscriptionId);
    const payments = Map.groupBy(await paymentsOf(world, merchant), ({ subscription }) => subscription);
    booked += sumOf([...payments.values()].flat().map(({ amount }) => amount));
    const own = refunds.filter((refund) => refund.merchant === merchant);
    const refundTotals = await sumRefunds(world, merchant, own, { charged: transfers, sent });
    wrong.push(...refundTotals.wrong);
    refunded.push(refundTotals.sums);
    receipts += refundTotals.receipts;
    const theirs = customers.filter((each) => each.merchant === merchant);
    const claimed = new Set<TokenTransfer>();
    for (const customer of theirs) {
      const { subscription } = customer;
      // A wallet may have subscriptions to two merchants, but not to two plans of one.
      const source = tokenAccountOf(customer.app.address);
      const paid = transfers.filter((transfer) => transfer.source === source);
      for (const transfer of paid) claimed.add(transfer);
      const { part, entry } = customer.member;
      const { every } = customer.plan;
      const findings = judge(
        expectationOf(part, { rounds: roundStarts.length, every, created: entry !== 'seeded' }),
        { rounds: roundStarts, creations: customer.creations, intervalSeconds: every * DAY, price: PRICE },
        {
          transfers: paid.toReversed(),
          webhooks: reported.get(subscription) ?? [],
          listed: listed.get(subscription) ?? [],
          payments: payments.get(subscription) ?? [],
        },
      );
      const who = `${part.name}, round ${part.in}${comesBack(part) ? `, back in ${part.backIn}` : ''}`;
      wrong.push(...findings.map((finding) => ({ ...finding, subscription, part: who })));
    }
    for (const { signature } of transfers.filter((transfer) => !claimed.has(transfer))) {
      wrong.push({ what: 'a charge of nobody', detail: signature });
    }
  }
  const { refused } = world.merchantServer;
  if (refused > 0) wrong.push({ what: 'signature', detail: `${refused} webhooks do not verify` });
  const sides = ['onChain', 'booked', 'reported', 'outside'] as const;
  const [onChain, bookedRefunds, reportedRefunds, outside] = sides.map((side) =>
    sumOf(refunded.map((sums) => sums[side])),
  ) as [bigint, bigint, bigint, bigint];
  const sums = { onChain, booked: bookedRefunds, reported: reportedRefunds, outside };
  wrong.push(...(await Promise.all([audit(world, sums), stopAll(world)])).flat());
  return {
    wrong,
    charges,
    chargedOnChain,
    booked,
    receipts,
    refunds: refunds.length,
    refunded: sums,
    subscriptions: customers.length,
    webhooks: world.merchantServer.reported.length,
    reported: sumOf(
      world.merchantServer.reported
        .filter(({ event }) => event !== 'payment.refunded')
        .map(({ data }) => BigInt(data.amount ?? 0)),
    ),
  };
}

/** Every process that was not killed must still run, and must stop on request. */
async function stopAll({ roles }: ChaosWorld): Promise<Wrong[]> {
  const fallen = roles.filter(({ process }) => process.hasFallen);
  const running = roles.filter((each) => !fallen.includes(each));
  const codes = await Promise.all(
    running.map(async ({ process }) => [process.name, await process.stop()] as const),
  );
  return [
    ...fallen.map(({ process }) => ({ what: 'process', detail: `${process.name} ended by itself` })),
    ...roles
      .filter(({ process }) => process.badStops > 0)
      .map(({ process }) => ({ what: 'process', detail: `${process.name} stopped badly in the run` })),
    ...codes
      .filter(([, code]) => code !== 0)
      .map(([name, code]) => ({ what: 'process', detail: `${name} stopped with ${code}` })),
  ];
}

/** `dues audit` must find no difference, and have the same refunds. */
async function audit(world: ChaosWorld, { onChain, outside }: RefundSums): Promise<Wrong[]> {
  const { code, stdout, stderr } = await runDues(['audit'], world.env);
  const sumIn = (line: RegExp) =>
    sumOf([...stdout.matchAll(line)].map(([, amount = '']) => BigInt(amount.replace('.', ''))));
  const audited = [
    sumIn(/refunds: ([\d.]+) on chain/g),
    sumIn(/refunds: .*, ([\d.]+) booked/g),
    sumIn(/: ([\d.]+) more were sent by/g),
  ];
  return code === 0 && `${audited}` === `${[onChain, onChain, outside]}`
    ? []
    : [{ what: 'dues audit', detail: `exit code ${code}, refunds ${audited}\n${stdout}${stderr}` }];
}

async function listOf(world: ChaosWorld, { apiKey }: ChaosMerchant): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let page = 1; ; page += 1) {
    const response = await fetch(`${world.apiUrl}/api/subscriptions?page=${page}&limit=${PAGE}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data, pagination } = (await response.json()) as {
      data: Listed[];
      pagination: { pages: number };
    };
    all.push(...data);
    if (page >= pagination.pages) return all;
  }
}

/** The successful payments, from the export for merchants. */
async function paymentsOf(world: ChaosWorld, { apiKey }: ChaosMerchant) {
  const response = await fetch(`${world.apiUrl}/api/exports/payments.csv?status=succeeded`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const [head = '', ...lines] = (await response.text()).trim().split(/\r?\n/);
  const columns = head.replace('\ufeff', '').split(',');
  const at = (name: string) => columns.indexOf(name);
  return lines.map((line) => {
    // None of these fields contains a comma.
    const fields = line.split(',');
    return {
      subscription: fields[at('subscriptionId')] ?? '',
      amount: BigInt(fields[at('amount')] ?? 0),
      signature: fields[at('signature')] ?? '',
    };
  });
}

async function balanceOf(world: ChaosWorld, account: string): Promise<bigint> {
  const { value } = await world.network.client.call<{ value: { amount: string } }>('getTokenAccountBalance', [
    account,
    { commitment: 'confirmed' },
  ]);
  return BigInt(value.amount);
}
