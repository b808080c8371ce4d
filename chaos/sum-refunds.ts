// Collects the evidence about refunds and receipts from outside, as `collect-evidence.ts` does for charges.
import { GraphQLClient, gql } from 'graphql-request';
import { type TokenTransfer, transfersNaming } from '../tools/chain-transfers.ts';
import type { Wrong } from './judge.ts';
import { judgeRefunds } from './judge-refunds.ts';
import type { ReportedWebhook } from './merchant-server.ts';
import type { ChaosRefund } from './refunds.ts';
import { sumOf, tokenAccountOf } from './tokens.ts';
import type { ChaosMerchant, ChaosWorld } from './world.ts';

const PAGE = 100;

/** Refunds in base units, as each side has them. */
export interface RefundSums {
  readonly onChain: bigint;
  readonly booked: bigint;
  readonly reported: bigint;
  /** Sent again for a refund that was paid already. */
  readonly outside: bigint;
}

interface BookedRefund {
  readonly id: string;
  readonly status: string;
  readonly amount: string;
  readonly signature: string | null;
  readonly payment: { readonly id: string };
}

interface ReceiptedPayment {
  readonly id: string;
  readonly amount: string;
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

/**
 * @param charged transfers to the merchant
 * @param sent transfers out of the merchant's account
 */
export async function sumRefunds(
  world: ChaosWorld,
  merchant: ChaosMerchant,
  refunds: readonly ChaosRefund[],
  { charged, sent }: { readonly charged: readonly TokenTransfer[]; readonly sent: readonly TokenTransfer[] },
): Promise<{ readonly wrong: readonly Wrong[]; readonly sums: RefundSums; readonly receipts: number }> {
  const wrong: Wrong[] = [];
  const client = new GraphQLClient(`${world.apiUrl}/graphql`, {
    headers: { authorization: `Bearer ${merchant.apiKey}` },
  });
  const [booked, payments] = await Promise.all([refundsOf(client), paymentsOf(client)]);
  const reported = world.merchantServer.reported.filter(({ event }) => event === 'payment.refunded');
  const source = tokenAccountOf(merchant.wallet.address);
  let [onChain, outside] = [0n, 0n];
  const claimed = new Set<string>();
  for (const [paymentId, own] of Map.groupBy(refunds, (refund) => refund.paymentId)) {
    const evidence = await Promise.all(
      own.map(async ({ id, amount, reference, recipient, order }) => {
        const destination = tokenAccountOf(recipient);
        const transfers = await transfersNaming(world.network.rpcUrl, reference);
        const isPayment = (each: TokenTransfer) => each.source === source && each.destination === destination;
        const mayBeSentTwice = order.kind === 'sent twice';
        return { id, amount: BigInt(amount), mayBeSentTwice, sent: transfers.filter(isPayment) };
      }),
    );
    for (const { amount, sent: paid } of evidence) {
      for (const { signature } of paid) claimed.add(signature);
      if (paid.length > 0) onChain += amount;
      outside += sumOf(paid.slice(1).map((each) => each.amount));
    }
    const payment = payments.find(({ id }) => id === paymentId);
    const findings = judgeRefunds({
      refunds: evidence,
      booked: booked.filter((each) => each.payment.id === paymentId),
      refundedAmount: BigInt(payment?.refundedAmount ?? 0),
      onReceipt: await refundedOnReceipt(payment),
      webhooks: reported.filter(({ data }) => data.paymentId === paymentId),
    });
    const [first] = own;
    const about = { subscription: first?.subscription ?? '', part: `refund ${first?.order.kind}` };
    wrong.push(...findings.map((finding) => ({ ...finding, ...about })));
  }
  for (const { signature } of sent.filter((each) => !claimed.has(each.signature))) {
    wrong.push({ what: 'a refund of nobody', detail: signature });
  }
  wrong.push(...judgeReceipts(payments, charged));
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

/** Each charge has one receipt with its amount, and the numbers have no gap. */
function judgeReceipts(payments: readonly ReceiptedPayment[], charged: readonly TokenTransfer[]): Wrong[] {
  const wrong: Wrong[] = [];
  const numbers = payments.flatMap(({ receipt }) => receipt?.number ?? []).toSorted((a, b) => a - b);
  if (numbers.length !== charged.length || numbers.some((number, index) => number !== index + 1)) {
    wrong.push({ what: 'receipt numbers', detail: `${charged.length} charges, and ${numbers}` });
  }
  const receiptSum = sumOf(payments.map(({ receipt }) => BigInt(receipt?.document.amount.baseUnits ?? 0)));
  const taken = sumOf(charged.map(({ amount }) => amount));
  if (receiptSum !== taken)
    wrong.push({ what: 'receipts', detail: `say ${receiptSum}, charged were ${taken}` });
  const signatures = new Set(charged.map(({ signature }) => signature));
  for (const { id, amount, receipt } of payments) {
    if (!receipt) continue;
    const { paymentId, amount: said, chain } = receipt.document;
    if (paymentId !== id || said.baseUnits !== amount || !signatures.has(chain.signature)) {
      wrong.push({
        what: 'receipt',
        detail: `${receipt.number} of payment ${id}: ${said.baseUnits} in ${chain.signature}`,
      });
    }
  }
  return wrong;
}

/** What the receipt's public file says was sent back. */
async function refundedOnReceipt(payment: ReceiptedPayment | undefined): Promise<bigint> {
  if (!payment?.receipt) return 0n;
  const response = await fetch(payment.receipt.jsonUrl);
  const { later } = (await response.json()) as { later: { refunds: readonly { amount: string }[] } };
  return sumOf(later.refunds.map(amountOf));
}

const amountOf = (each: { readonly amount: string } | ReportedWebhook): bigint =>
  BigInt(('data' in each ? each.data.amount : each.amount) ?? 0);

interface Page<T> {
  readonly edges: readonly { readonly node: T }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function pagesOf<T>(read: (after: string | null) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  for (let after: string | null = null; ; ) {
    const { edges, pageInfo }: Page<T> = await read(after);
    all.push(...edges.map(({ node }) => node));
    after = pageInfo.endCursor;
    if (!pageInfo.hasNextPage) return all;
  }
}

function refundsOf(client: GraphQLClient): Promise<BookedRefund[]> {
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
  return pagesOf(async (after) => {
    const { refunds } = await client.request<{ refunds: Page<BookedRefund> }>(query, { first: PAGE, after });
    return refunds;
  });
}

function paymentsOf(client: GraphQLClient): Promise<ReceiptedPayment[]> {
  const query = gql`
    query ($first: Int!, $after: String) {
      payments(status: SUCCEEDED, first: $first, after: $after) {
        edges {
          node {
            id
            amount
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
  return pagesOf(async (after) => {
    const { payments } = await client.request<{ payments: Page<ReceiptedPayment> }>(query, {
      first: PAGE,
      after,
    });
    return payments;
  });
}
