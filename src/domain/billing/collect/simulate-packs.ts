import { mapConcurrently } from '../../../async/map-concurrently.ts';
import type { Chain } from '../../../chain/chain.ts';
import { explainPullFailure, type PullFailure } from '../../../chain/pull-failures.ts';
import type { TransactionFailure } from '../../../chain/rpc/transaction-failure.ts';
import { refusesVersion, VERSION_REFUSED } from '../../../chain/transactions/accepted-version.ts';
import type { MessageTerms } from '../../../chain/transactions/pull-message.ts';
import { type PullSigners, simulatePulls } from '../../../chain/transactions/pull-transactions.ts';
import type { PayablePayment } from './prepare-payments.ts';

const MAX_CONCURRENT_SIMULATIONS = 8;
/**
 * Added to the simulated compute units, because accounts may change until the transaction lands.
 */
const MARGIN_PERCENT = 20n;
/** Compute units of the two instructions that set the limit and the price in older messages. */
const BUDGET_INSTRUCTION_UNITS = 1_000;

/** Payments that share a transaction, and who pays its fee. */
export interface Pack extends Pick<PullSigners, 'feePayer'> {
  readonly payments: readonly PayablePayment[];
}

/** Payments that share a transaction, and its compute unit limit. */
export interface SimulatedPack {
  readonly payments: readonly PayablePayment[];
  readonly computeUnits: number;
}

/** A payment that would make its transaction fail. */
export interface FailedPull {
  readonly due: PayablePayment;
  readonly failure: PullFailure;
  /** The slot of the simulated state. */
  readonly slot: bigint;
}

/** The cluster does not accept this message version. Nothing was sent. */
export class VersionRefused extends Error {
  override name = 'VersionRefused';
}

/** A transaction would fail, and no payment in it is the cause. */
export class PackFailed extends Error {
  override name = 'PackFailed';
}

/**
 * Simulates transactions before they are sent. Returns their compute unit limits, and the payments
 * that would make them fail, which are left out before a fee is spent.
 *
 * @throws VersionRefused, PackFailed
 */
export async function simulatePacks(
  chain: Chain,
  packs: readonly Pack[],
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
): Promise<{ packs: SimulatedPack[]; failedPulls: FailedPull[] }> {
  const simulated = await mapConcurrently(packs, MAX_CONCURRENT_SIMULATIONS, (pack) =>
    simulatePack(chain, pack, terms),
  );
  return {
    packs: simulated.map(({ pack }) => pack).filter(({ payments }) => payments.length > 0),
    failedPulls: simulated.flatMap(({ failedPulls }) => failedPulls),
  };
}

async function simulatePack(
  chain: Chain,
  { feePayer, payments: packed }: Pack,
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
): Promise<{ pack: SimulatedPack; failedPulls: FailedPull[] }> {
  const failedPulls: FailedPull[] = [];
  let payments = packed;
  while (payments.length > 0) {
    const { err, computeUnits, firstPull, slot } = await simulate(chain, { feePayer, payments }, terms);
    if (!err) return { pack: { payments, computeUnits: withMargin(computeUnits) }, failedPulls };
    const { pullIndex, failure } = explainPullFailure(
      err,
      payments.map((_, index) => firstPull + index),
    );
    const due = pullIndex === null ? undefined : payments[pullIndex - firstPull];
    if (!due && err.instruction !== null) {
      // An instruction that is not a pull failed, such as the creation of the receiver's account.
      // Only the payments of this transaction are affected.
      return {
        pack: EMPTY_PACK,
        failedPulls: [...failedPulls, ...payments.map((payment) => ({ due: payment, failure, slot }))],
      };
    }
    if (!due) throw new PackFailed(`a transfer transaction would fail: ${nameOf(err)}`);
    failedPulls.push({ due, failure, slot });
    payments = payments.filter((payment) => payment !== due);
  }
  return { pack: EMPTY_PACK, failedPulls };
}

const EMPTY_PACK: SimulatedPack = { payments: [], computeUnits: 0 };

async function simulate(
  chain: Chain,
  { feePayer, payments }: Pack,
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
) {
  const pulls = payments.map(({ pull }) => pull);
  const signers = { collector: chain.collector, feePayer };
  const simulated = await simulatePulls(chain, signers, pulls, terms).catch((cause: unknown) => {
    if (refusesVersion(cause)) throw new VersionRefused(`version ${terms.version} is refused`, { cause });
    throw cause;
  });
  if (simulated.err?.name === VERSION_REFUSED)
    throw new VersionRefused(`version ${terms.version} is refused`);
  return simulated;
}

/** The compute unit limit of a transaction, from its simulated use. */
export function withMargin(computeUnits: number): number {
  return Number((BigInt(computeUnits) * (100n + MARGIN_PERCENT)) / 100n) + BUDGET_INSTRUCTION_UNITS;
}

function nameOf({ name, instruction, custom }: TransactionFailure): string {
  return [name, ...(instruction === null ? [] : [`of instruction ${instruction}`]), custom ?? '']
    .join(' ')
    .trim();
}
