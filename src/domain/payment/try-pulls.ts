import { refusesVersion, VERSION_REFUSED } from '../../chain/accepted-version.ts';
import type { Chain } from '../../chain/chain.ts';
import { explainPullFailure, type PullFailure } from '../../chain/errors.ts';
import type { MessageTerms } from '../../chain/pull-message.ts';
import { simulatePulls } from '../../chain/pull-transactions.ts';
import type { TransactionFailure } from '../../chain/transaction-failure.ts';
import { sideBySide } from '../../side-by-side.ts';
import type { PayablePayment } from './collect-claimed.ts';

const SIMULATIONS_AT_ONCE = 8;
/** A simulation says what a transaction takes now; a payer's account may have changed a little when it lands. */
const MARGIN_PERCENT = 20n;
/** Setting limit and price are instructions themselves in older messages. */
const COMPUTE_UNITS_ASIDE = 1_000;

/** Payments that may share a transaction, and what that will take. */
export interface TriedPack {
  readonly payments: readonly PayablePayment[];
  readonly computeUnits: number;
}

/** A payment that would make its transaction fail. */
export interface Culprit {
  readonly due: PayablePayment;
  readonly failure: PullFailure;
}

/** The cluster does not take this version of a message (any more): nothing of it was sent. */
export class VersionRefused extends Error {
  override name = 'VersionRefused';
}

/** A transaction would fail as a whole, and nothing in it is to blame. */
export class PackRefused extends Error {
  override name = 'PackRefused';
}

/**
 * Lets the cluster simulate what is to be sent: finds what it takes, and those that would fail it, which are left out
 * before any fee is spent on their companions.
 *
 * @throws VersionRefused, PackRefused
 */
export async function tryPulls(
  chain: Chain,
  packs: readonly (readonly PayablePayment[])[],
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
): Promise<{ packs: TriedPack[]; culprits: Culprit[] }> {
  const tried = await sideBySide(packs, SIMULATIONS_AT_ONCE, (pack) => tryPack(chain, pack, terms));
  return {
    packs: tried.map(({ pack }) => pack).filter(({ payments }) => payments.length > 0),
    culprits: tried.flatMap(({ culprits }) => culprits),
  };
}

async function tryPack(
  chain: Chain,
  pack: readonly PayablePayment[],
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
): Promise<{ pack: TriedPack; culprits: Culprit[] }> {
  const culprits: Culprit[] = [];
  let payments = pack;
  while (payments.length > 0) {
    const { err, computeUnits, firstPull } = await simulate(chain, payments, terms);
    if (!err) return { pack: { payments, computeUnits: withMargin(computeUnits) }, culprits };
    const { place, failure } = explainPullFailure(
      err,
      payments.map((_, index) => firstPull + index),
    );
    const due = place === null ? undefined : payments[place - firstPull];
    if (!due && err.instruction !== null) {
      // A token account of the merchant cannot be made, say: whoever does not pay into it must not wait for that.
      return { pack: NOTHING, culprits: [...culprits, ...payments.map((each) => ({ due: each, failure }))] };
    }
    if (!due) throw new PackRefused(`a collection would fail: ${nameOf(err)}`);
    culprits.push({ due, failure });
    payments = payments.filter((each) => each !== due);
  }
  return { pack: NOTHING, culprits };
}

const NOTHING: TriedPack = { payments: [], computeUnits: 0 };

async function simulate(
  chain: Chain,
  payments: readonly PayablePayment[],
  terms: Pick<MessageTerms, 'blockhash' | 'version'>,
) {
  const pulls = payments.map(({ pull }) => pull);
  const simulated = await simulatePulls(chain, pulls, terms).catch((cause: unknown) => {
    if (refusesVersion(cause)) throw new VersionRefused(`version ${terms.version} is refused`, { cause });
    throw cause;
  });
  if (simulated.err?.name === VERSION_REFUSED)
    throw new VersionRefused(`version ${terms.version} is refused`);
  return simulated;
}

function withMargin(computeUnits: number): number {
  return Number((BigInt(computeUnits) * (100n + MARGIN_PERCENT)) / 100n) + COMPUTE_UNITS_ASIDE;
}

function nameOf({ name, instruction, custom }: TransactionFailure): string {
  return [name, ...(instruction === null ? [] : [`of instruction ${instruction}`]), custom ?? '']
    .join(' ')
    .trim();
}
