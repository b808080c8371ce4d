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
import { assertCollectorCanPay, collectorLamports } from './assert-collector-can-pay.ts';
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

/**
 * Packs the payments into transactions, simulates them, and signs those that would succeed.
 *
 * @throws VersionRefused, PackFailed, and Error if the collector cannot pay the fees
 */
export async function signPayments(
  ctx: AppContext,
  chain: Chain,
  payments: readonly PayablePayment[],
): Promise<{ signed: Signed[]; failedPulls: readonly FailedPull[] }> {
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
  assertCollectorCanPay(chain, lamports, unpriced);
  const simulated = await simulatePacks(chain, packs, { blockhash, version });
  const priced = simulated.packs.map((simulatedPack) => {
    const expiries = simulatedPack.payments.map(({ payment }) => attempts.get(payment.id)?.expiries ?? 0);
    return { ...simulatedPack, price: priorityFeeAfter(Math.max(...expiries), recent, chain.config) };
  });
  assertCollectorCanPay(chain, lamports, priced);
  const signed = await Promise.all(
    priced.map(async ({ payments: packed, computeUnits, price }): Promise<Signed> => {
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
  return { signed, failedPulls: simulated.failedPulls };
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
