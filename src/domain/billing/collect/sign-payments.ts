import { randomInt } from 'node:crypto';
import type { Address } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { latestBlockhash } from '../../../chain/rpc/send.ts';
import { acceptedVersion } from '../../../chain/transactions/accepted-version.ts';
import { type Packing, packPulls } from '../../../chain/transactions/pack-pulls.ts';
import { priorityFeeAfter, readRecentFee } from '../../../chain/transactions/priority-fee.ts';
import { type SignedPulls, signPulls } from '../../../chain/transactions/pull-transactions.ts';
import { currentTraceparent, type Traceparent } from '../../../observability/tracing/trace.ts';
import { assignFeePayers, readPurses } from './assign-fee-payers.ts';
import { assignReceivers } from './assign-receivers.ts';
import { type EarlierAttempts, earlierAttempts } from './earlier-attempts.ts';
import type { PayablePayment } from './prepare-payments.ts';
import { type FailedPull, simulatePacks } from './simulate-packs.ts';

/** A signed transaction and the payments that it collects. Pull i belongs to payment i. */
export interface Signed extends SignedPulls {
  readonly id: string;
  /** The address of who pays its fee. */
  readonly paidBy: Address;
  readonly traceparent: Traceparent;
  readonly payments: readonly PayablePayment[];
}

export interface SigningOutcome {
  readonly signed: readonly Signed[];
  readonly failedPulls: readonly FailedPull[];
  /** Payments of transactions whose fee neither a fee payer nor the collector can pay now. */
  readonly unpaid: readonly PayablePayment[];
}

/**
 * Packs the payments into transactions, simulates them, and signs those that would succeed and
 * whose fee a fee payer or the collector can pay: those that are overdue longest.
 *
 * @throws VersionRefused, PackFailed
 */
export async function signPayments(
  ctx: AppContext,
  chain: Chain,
  payments: readonly PayablePayment[],
): Promise<SigningOutcome> {
  const [version, blockhash, recent, attempts, purses] = await Promise.all([
    acceptedVersion(chain),
    latestBlockhash(chain),
    readRecentFee(
      chain,
      payments.flatMap(({ pull, receivingAccounts }) => [pull.receiverTokenAccount, ...receivingAccounts]),
    ),
    earlierAttempts(
      ctx,
      payments.map(({ payment }) => payment.id),
    ),
    readPurses(chain),
  ]);
  const { collector, feePayers } = purses;
  const signers = [...feePayers.slice(0, 1), collector].map(({ signer }) => signer.address);
  const maxPulls = chain.config.maxPullsPerTransaction;
  const packs = assignReceivers(pack(payments, { signers, version, maxPulls }, attempts));
  // At random, so that several workers do not all begin with the same one.
  const first = feePayers.length > 0 ? randomInt(feePayers.length) : 0;
  // Checked first, because a simulation with an empty fee payer fails without naming the cause.
  const unpriced = packs.map((packed) => ({ payments: packed, computeUnits: 0, price: 0n }));
  const payable = assignFeePayers(purses, unpriced, first);
  const simulated = await simulatePacks(chain, payable.paid, { blockhash, version });
  const priced = simulated.packs.map((simulatedPack) => {
    const expiries = simulatedPack.payments.map(({ payment }) => attempts.get(payment.id)?.expiries ?? 0);
    return { ...simulatedPack, price: priorityFeeAfter(Math.max(...expiries), recent, chain.config) };
  });
  const affordable = assignFeePayers(purses, priced, first);
  const unpaid = [...payable.unpaid, ...affordable.unpaid].flatMap(({ payments: packed }) => packed);
  if (unpaid.length > 0) {
    const needed = payable.unpaid.length > 0 ? payable.needed : affordable.needed;
    ctx.log.error(
      { environment: chain.environment, payments: unpaid.length, of: payments.length },
      `The collector ${collector.signer.address} cannot pay the fees: it has ${collector.lamports} lamports and needs ${needed}`,
    );
  }
  const signed = await Promise.all(
    affordable.paid.map(async ({ payments: packed, computeUnits, price, feePayer }): Promise<Signed> => {
      const pulls = packed.map(({ pull }) => pull);
      const by = { collector: chain.collector, feePayer };
      const transaction = await signPulls(by, pulls, { blockhash, version, computeUnits, price });
      return {
        ...transaction,
        id: uuidv7(),
        paidBy: feePayer.address,
        traceparent: currentTraceparent(),
        payments: packed,
      };
    }),
  );
  return { signed, failedPulls: simulated.failedPulls, unpaid };
}

/** Packs payments together, except those that could make the others of their transaction fail. */
function pack(
  payments: readonly PayablePayment[],
  packing: Packing,
  attempts: ReadonlyMap<string, EarlierAttempts>,
): (readonly PayablePayment[])[] {
  const isAlone = ({ payment }: PayablePayment) => attempts.get(payment.id)?.alone === true;
  const shared = packPulls(
    payments.filter((payment) => !isAlone(payment)),
    packing,
  );
  return [...shared, ...payments.filter(isAlone).map((payment) => [payment])];
}
