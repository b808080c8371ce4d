// Compares the refunds of a merchant in one token with their transfers on chain. Only the
// references of the refunds are used to find the transfers.
import { setTimeout as wait } from 'node:timers/promises';
import { address, type Signature } from '@solana/kit';
import type { AppContext } from '../../../app.ts';
import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { readTransaction, signaturePages } from '../../../chain/rpc/chain-transaction.ts';
import { isFinalSuccess, signatureOutcomes } from '../../../chain/rpc/signature-outcomes.ts';
import { refundTransfers } from '../../../chain/transactions/refund-transactions.ts';
import { type SendableRefund, sendable } from '../../billing/refund/find-refund.ts';
import { termsOf } from '../../billing/refund/refund-terms.ts';
import type { FinalTransfer } from '../../billing/refund/settle-refund.ts';

const REFUNDS_PER_PAGE = 200;
const MAX_CONCURRENT_READS = 8;
/** Delay of the second check: longer than it takes to settle a refund after its finalization. */
const RECHECK_DELAY_MS = 5_000;

/** A refund in which the chain and the books differ. */
export interface RefundDifference {
  readonly refundId: string;
  readonly sentOnChain: bigint;
  readonly booked: bigint;
  readonly signatures: readonly string[];
}

/** A refund that was sent more than once: the customer got too much. */
export interface RefundSentAgain {
  readonly refundId: string;
  /** The amount of the transfers after the first. */
  readonly amount: bigint;
  readonly signatures: readonly string[];
}

/** The refunds of a merchant in one token. Amounts in base units. */
export interface RefundComparison {
  readonly sentOnChain: bigint;
  readonly booked: bigint;
  readonly differences: readonly RefundDifference[];
  readonly sentAgain: readonly RefundSentAgain[];
  /** Sent beyond the refunds, because one was sent again or with more than its amount. */
  readonly outside: bigint;
}

export interface CompareRefunds {
  readonly merchantId: string;
  readonly mint: string;
  /** Receives transactions that could not be read, with the reason. */
  readonly unreadable: Map<string, string>;
  /**
   * Called with a transfer that is not settled, and with each further one of a refund; returns true
   * if it settled it.
   */
  readonly onMissing?: ((refund: SendableRefund, transfer: FinalTransfer) => Promise<boolean>) | undefined;
}

/** @throws if the cluster or the database does not respond */
export async function compareRefunds(
  { db }: Pick<AppContext, 'db'>,
  chain: Chain,
  { merchantId, mint, unreadable, onMissing }: CompareRefunds,
): Promise<RefundComparison> {
  const { environment } = chain;
  const compared: ComparedRefund[] = [];
  for (let after: string | undefined; ; ) {
    const page = await db.refund.findMany({
      where: { merchantId, environment, payment: { subscription: { plan: { mint } } } },
      orderBy: { id: 'asc' },
      take: REFUNDS_PER_PAGE,
      ...(after !== undefined && { cursor: { id: after }, skip: 1 }),
      ...sendable,
    });
    compared.push(...(await mapConcurrently(page, MAX_CONCURRENT_READS, compare)));
    after = page.at(-1)?.id;
    if (page.length < REFUNDS_PER_PAGE) break;
  }
  if (compared.some(differs)) await wait(RECHECK_DELAY_MS);
  for (const [index, refund] of compared.entries()) {
    if (differs(refund) || (onMissing && refund.further.length > 0)) {
      compared[index] = await compareAgain(refund);
    }
  }
  const sum = (amountOf: (refund: ComparedRefund) => bigint) =>
    compared.reduce((total, refund) => total + amountOf(refund), 0n);
  return {
    sentOnChain: sum(({ sentOnChain }) => sentOnChain),
    booked: sum(({ booked }) => booked),
    outside: sum(({ outside }) => outside),
    sentAgain: compared.flatMap(({ refundId, further }) =>
      further.length === 0
        ? []
        : [
            {
              refundId,
              amount: further.reduce((total, { amount }) => total + amount, 0n),
              signatures: further.map(({ transaction }) => transaction.signature),
            },
          ],
    ),
    differences: compared.filter(differs),
  };

  async function compareAgain({ refundId: id }: ComparedRefund): Promise<ComparedRefund> {
    const again = await compare(await db.refund.findUniqueOrThrow({ where: { id }, ...sendable }));
    const { missing, further } = again;
    if (!onMissing) return again;
    const refund = await db.refund.findUniqueOrThrow({ where: { id }, ...sendable });
    const isSettled = missing !== undefined && (await onMissing(refund, missing));
    for (const transfer of further) await onMissing(refund, transfer);
    return isSettled ? { ...again, booked: again.sentOnChain } : again;
  }

  async function compare(refund: SendableRefund): Promise<ComparedRefund> {
    const { id: refundId, amount, status, signature, transferIndex } = refund;
    const transfers = await withoutOtherRefunds(refund, await readTransfers(chain, refund, unreadable));
    const isBooked = status === 'SUCCEEDED';
    const paid = isBooked
      ? transfers.find(
          (transfer) => transfer.transaction.signature === signature && transfer.index === transferIndex,
        )
      : transfers[0];
    const sentOnChain = paid ? amount : 0n;
    return {
      refundId,
      sentOnChain,
      booked: isBooked ? amount : 0n,
      outside: transfers.reduce((total, transfer) => total + transfer.amount, 0n) - sentOnChain,
      signatures: [
        ...new Set([
          ...transfers.map((transfer) => transfer.transaction.signature),
          ...(signature ? [signature] : []),
        ]),
      ],
      further: paid ? transfers.filter((transfer) => transfer !== paid) : [],
      ...(paid && !isBooked && { missing: paid }),
    };
  }

  /** Removes the transfers that pay another refund. */
  async function withoutOtherRefunds(
    { id }: SendableRefund,
    found: readonly FinalTransfer[],
  ): Promise<FinalTransfer[]> {
    const otherRefunds = await db.refund.findMany({
      where: {
        environment,
        id: { not: id },
        signature: { in: found.map((transfer) => transfer.transaction.signature) },
      },
      select: { signature: true, transferIndex: true },
    });
    return found.filter(
      ({ index, transaction }) =>
        !otherRefunds.some(
          (refund) => refund.signature === transaction.signature && refund.transferIndex === index,
        ),
    );
  }
}

interface ComparedRefund extends RefundDifference {
  readonly outside: bigint;
  /** The transfers after the one that pays it. */
  readonly further: readonly FinalTransfer[];
  /** The transfer of a refund that is not settled. */
  readonly missing?: FinalTransfer;
}

const differs = ({ sentOnChain, booked }: RefundDifference) => sentOnChain !== booked;

/** Reads all finalized transfers that pay a refund, as far back as the node has them. */
async function readTransfers(
  chain: Chain,
  refund: SendableRefund,
  unreadable: Map<string, string>,
): Promise<FinalTransfer[]> {
  const newestFirst: FinalTransfer[][] = [];
  for await (const page of signaturePages(chain, address(refund.reference))) {
    for (const { signature, failed } of page) {
      if (failed) continue;
      const transaction = await readTransaction(chain, signature);
      if (!transaction) unreadable.set(signature, 'the node no longer has it');
      else {
        const transfers = await refundTransfers(transaction, termsOf(refund));
        newestFirst.push(transfers.map((transfer) => ({ ...transfer, transaction })));
      }
    }
  }
  const found = newestFirst.toReversed().flat();
  const outcomes = await signatureOutcomes(
    chain,
    found.map(({ transaction }) => transaction.signature),
  );
  return found.filter(({ transaction }) => isFinalSuccess(outcomes.get(transaction.signature as Signature)));
}
