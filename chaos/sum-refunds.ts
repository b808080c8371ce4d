// Collects the evidence about refunds and receipts from outside, as `collect-evidence.ts` does for
// payments.
import { gql } from 'graphql-request';
import { readTransfersNaming, type TokenTransfer } from '../tools/chain-transfers.ts';
import type { Wrong } from './judge.ts';
import { judgeRefunds } from './judge-refunds.ts';
import type { AcceptedWebhook } from './merchant-server.ts';
import type { ChaosRefund } from './refunds.ts';
import { sumOf, tokenAccountOf } from './tokens.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

const PAGE = 100;

/** Sums of refunds in base units: on chain, in the books and in webhooks. */
export interface RefundSums {
  readonly onChain: bigint;
  readonly booked: bigint;
  readonly reported: bigint;
  /** Sent for refunds that were already paid. */
  readonly outside: bigint;
}

interface BookedRefund {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly signature: string | null;
  readonly payment: { readonly id: string };
}

interface PaymentWithReceipt {
  readonly id: string;
  readonly refundedAmount: string;
  readonly receipt: {
    readonly number: number;
    readonly jsonUrl: string;
    readonly document: {
      readonly paymentId: string;
      readonly amount: { readonly baseUnits: string };
      readonly chain: { readonly signature: string };
    };
  } | null;
}

interface MerchantTransfers {
  /** Transfers into the merchant's account. */
  readonly charged: readonly TokenTransfer[];
  /** Signatures of the transactions that merchants signed without dues. */
  readonly pulledByMerchant: ReadonlySet<string>;
  /** Transfers out of the merchant's account. */
  readonly sent: readonly TokenTransfer[];
}

/** Compares a merchant's refunds and receipts with the evidence. */
export async function sumRefunds(
  world: ChaosWorld,
  merchant: ChaosMerchant,
  refunds: readonly ChaosRefund[],
  { charged, pulledByMerchant, sent }: MerchantTransfers,
): Promise<{ readonly wrong: readonly Wrong[]; readonly sums: RefundSums; readonly receipts: number }> {
  const wrong: Wrong[] = [];
  const [booked, payments] = await Promise.all([readRefunds(merchant), readPayments(merchant)]);
  const reported = world.merchantServer.accepted.filter(({ event }) => event === 'payment.refunded');
  const source = tokenAccountOf(merchant.wallet.address);
  let [onChain, outside] = [0n, 0n];
  const explained = new Set<string>();
  for (const [paymentId, paymentRefunds] of Map.groupBy(refunds, (refund) => refund.paymentId)) {
    const evidence = await Promise.all(
      paymentRefunds.map(async ({ id, amount, reference, recipient, order }) => {
        const destination = tokenAccountOf(recipient);
        const transfers = await readTransfersNaming(world.network.rpcUrl, reference);
        const isRefund = (transfer: TokenTransfer) =>
          transfer.source === source && transfer.destination === destination;
        const mayBeSentTwice = order.kind === 'sent twice';
        return { id, amount: BigInt(amount), mayBeSentTwice, sent: transfers.filter(isRefund) };
      }),
    );
    for (const { amount, sent: refundTransfers } of evidence) {
      for (const { signature } of refundTransfers) explained.add(signature);
      if (refundTransfers.length > 0) onChain += amount;
      outside += sumOf(refundTransfers.slice(1).map((transfer) => transfer.amount));
    }
    const payment = payments.find(({ id }) => id === paymentId);
    const findings = judgeRefunds({
      refunds: evidence,
      booked: booked.filter(({ payment }) => payment.id === paymentId),
      refundedAmount: BigInt(payment?.refundedAmount ?? 0),
      onReceipt: await readRefundedOnReceipt(payment),
      webhooks: reported.filter(({ data }) => data.paymentId === paymentId),
    });
    const [first] = paymentRefunds;
    const context = { subscription: first?.subscription ?? '', part: `refund ${first?.order.kind}` };
    wrong.push(...findings.map((finding) => ({ ...finding, ...context })));
  }
  for (const { signature } of sent.filter((transfer) => !explained.has(transfer.signature))) {
    wrong.push({ what: 'a transfer that is no refund', detail: signature });
  }
  wrong.push(
    ...judgeReceipts(payments, { charged, pulledByMerchant }, { mayHaveGaps: world.pair !== undefined }),
  );
  const ids = new Set(refunds.map(({ id }) => id));
  return {
    wrong,
    receipts: payments.filter(({ receipt }) => receipt).length,
    sums: {
      onChain,
      outside,
      booked: sumOf(
        booked.filter(({ status }) => status === 'SUCCEEDED').map(({ amount }) => BigInt(amount)),
      ),
      reported: sumOf(reported.filter(({ data }) => ids.has(data.refundId ?? '')).map(amountOf)),
    },
  };
}

/**
 * Checks that each payment has one receipt with the amount of one of its transfers, that each transfer
 * has one unless the merchant collected from the customer too, and that the numbers have no gap. After
 * a failover some are void, which `dues audit --books` checks.
 */
function judgeReceipts(
  payments: readonly PaymentWithReceipt[],
  { charged, pulledByMerchant }: Pick<MerchantTransfers, 'charged' | 'pulledByMerchant'>,
  { mayHaveGaps }: { readonly mayHaveGaps: boolean },
): Wrong[] {
  const wrong: Wrong[] = [];
  const numbers = payments.flatMap(({ receipt }) => receipt?.number ?? []).toSorted((a, b) => a - b);
  const areUsedOnce = new Set(numbers).size === numbers.length;
  const areRight = mayHaveGaps ? areUsedOnce : numbers.every((number, index) => number === index + 1);
  if (numbers.length !== payments.length || !areRight) {
    wrong.push({
      what: 'receipt numbers',
      detail: `${payments.length} payments, but the numbers ${numbers}`,
    });
  }
  const without = new Set(charged);
  for (const { id, receipt } of payments) {
    if (!receipt) continue;
    const { paymentId, amount, chain } = receipt.document;
    const transfer = [...without].find(
      (one) => one.signature === chain.signature && String(one.amount) === amount.baseUnits,
    );
    if (transfer) without.delete(transfer);
    if (paymentId !== id || !transfer) {
      wrong.push({
        what: 'receipt',
        detail: `${receipt.number} of payment ${id}: ${amount.baseUnits} in ${chain.signature}`,
      });
    }
  }
  const alsoPulled = new Set(
    charged.filter(({ signature }) => pulledByMerchant.has(signature)).map(({ source }) => source),
  );
  for (const { source, signature } of without) {
    if (!alsoPulled.has(source)) wrong.push({ what: 'charge without a receipt', detail: signature });
  }
  return wrong;
}

/** The refunded amount in the receipt's public file. */
async function readRefundedOnReceipt(payment: PaymentWithReceipt | undefined): Promise<bigint> {
  if (!payment?.receipt) return 0n;
  const response = await fetch(payment.receipt.jsonUrl);
  const { later } = (await response.json()) as { later: { refunds: readonly { amount: string }[] } };
  return sumOf(later.refunds.map(amountOf));
}

const amountOf = (item: { readonly amount: string } | AcceptedWebhook): bigint =>
  BigInt(('data' in item ? item.data.amount : item.amount) ?? 0);

export interface Page<T> {
  readonly edges: readonly { readonly node: T }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The nodes of all pages, in order. */
export async function readAllPages<T>(read: (after: string | null) => Promise<Page<T>>): Promise<T[]> {
  const nodes: T[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Page<T> = await read(after);
    nodes.push(...edges.map(({ node }) => node));
    after = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) return nodes;
  }
}

function readRefunds({ graphql }: ChaosMerchant): Promise<BookedRefund[]> {
  const query = gql`
    query ($first: Int!, $after: String) {
      refunds(first: $first, after: $after) {
        edges {
          node {
            id
            status
            amount
            signature
            payment {
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
  return readAllPages(async (after) => {
    const { refunds } = await graphql.request<{ refunds: Page<BookedRefund> }>(query, { first: PAGE, after });
    return refunds;
  });
}

function readPayments({ graphql }: ChaosMerchant): Promise<PaymentWithReceipt[]> {
  const query = gql`
    query ($first: Int!, $after: String) {
      payments(filter: { status: SUCCEEDED }, first: $first, after: $after) {
        edges {
          node {
            id
            refundedAmount
            receipt {
              number
              jsonUrl
              document
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
  return readAllPages(async (after) => {
    const { payments } = await graphql.request<{ payments: Page<PaymentWithReceipt> }>(query, {
      first: PAGE,
      after,
    });
    return payments;
  });
}
