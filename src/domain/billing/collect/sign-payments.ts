import type { Address } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import type { Chain } from '../../../chain/chain.ts';
import { latestBlockhash } from '../../../chain/rpc/send.ts';
import { acceptedVersion } from '../../../chain/transactions/accepted-version.ts';
import type { MessageVersion } from '../../../chain/transactions/compile-message.ts';
import { packPulls } from '../../../chain/transactions/pack-pulls.ts';
import { priorityFeeAfter, readRecentFee } from '../../../chain/transactions/priority-fee.ts';
import { type SignedPulls, signPulls } from '../../../chain/transactions/pull-transactions.ts';
import { currentTraceparent, type Traceparent } from '../../../observability/tracing/trace.ts';
import { collectorLamports, splitByBalance } from './collector-balance.ts';
import { type EarlierAttempts, earlierAttempts } from './earlier-attempts.ts';
import type { PayablePayment } from './prepare-payments.ts';
import { type FailedPull, simulatePacks } from './simulate-packs.ts';

/** A signed transaction and the payments that it collects. Pull i belongs to payment i. */
export interface Signed extends SignedPulls {
  readonly id: string;
  /** The signer and fee payer. */
  readonly collector: Address;
  readonly traceparent: Traceparent;
  readonly payments: readonly PayablePayment[];
}

export interface SigningOutcome {
  readonly signed: readonly Signed[];
  readonly failedPulls: readonly FailedPull[];
  /** Payments of transactions whose fee the collector cannot pay now. */
  readonly unpaid: readonly PayablePayment[];
}

/**
 * Packs the payments into transactions, simulates them, and signs those that would succeed and
 * whose fee the collector can pay: those that are overdue longest.
 *
 * @throws VersionRefused, PackFailed
 */
export async function signPayments(
  ctx: AppContext,
  chain: Chain,
  payments: readonly PayablePayment[],
): Promise<SigningOutcome> {
  const [version, blockhash, recent, attempts, lamports] = await Promise.all([
    acceptedVersion(chain),
    latestBlockhash(chain),
    readRecentFee(
      chain,
      payments.map(({ pull }) => pull.receiverTokenAccount),
    ),
    earlierAttempts(
      ctx,
      payments.map(({ payment }) => payment.id),
    ),
    collectorLamports(chain),
  ]);
  const packs = pack(chain, payments, { version, attempts });
  // Checked first, because a simulation with an empty collector fails without naming the cause.
  const unpriced = packs.map((packed) => ({ payments: packed, computeUnits: 0, price: 0n }));
  const payable = splitByBalance(lamports, unpriced);
  const simulated = await simulatePacks(
    chain,
    payable.paid.map(({ payments: packed }) => packed),
    { blockhash, version },
  );
  const priced = simulated.packs.map((simulatedPack) => {
    const expiries = simulatedPack.payments.map(({ payment }) => attempts.get(payment.id)?.expiries ?? 0);
    return { ...simulatedPack, price: priorityFeeAfter(Math.max(...expiries), recent, chain.config) };
  });
  const affordable = splitByBalance(lamports, priced);
  const unpaid = [...payable.unpaid, ...affordable.unpaid].flatMap(({ payments: packed }) => packed);
  if (unpaid.length > 0) {
    const needed = payable.unpaid.length > 0 ? payable.needed : affordable.needed;
    ctx.log.error(
      { environment: chain.environment, payments: unpaid.length, of: payments.length },
      `The collector ${chain.collector.address} cannot pay the fees: it has ${lamports} lamports and needs ${needed}`,
    );
  }
  const signed = await Promise.all(
    affordable.paid.map(async ({ payments: packed, computeUnits, price }): Promise<Signed> => {
      const pulls = packed.map(({ pull }) => pull);
      const transaction = await signPulls(chain, pulls, { blockhash, version, computeUnits, price });
      const { address: collector } = chain.collector;
      return {
        ...transaction,
        id: uuidv7(),
        collector,
        traceparent: currentTraceparent(),
        payments: packed,
      };
    }),
  );
  return { signed, failedPulls: simulated.failedPulls, unpaid };
}

/** Packs payments together, except those that could make the others of their transaction fail. */
function pack(
  chain: Chain,
  payments: readonly PayablePayment[],
  { version, attempts }: { version: MessageVersion; attempts: ReadonlyMap<string, EarlierAttempts> },
): (readonly PayablePayment[])[] {
  const isAlone = ({ payment }: PayablePayment) => attempts.get(payment.id)?.alone === true;
  const shared = packPulls(
    payments.filter((payment) => !isAlone(payment)),
    { collector: chain.collector, version, maxPulls: chain.config.maxPullsPerTransaction },
  );
  return [...shared, ...payments.filter(isAlone).map((payment) => [payment])];
}
