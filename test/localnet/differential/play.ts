/**
 * Runs random transactions on both programs. An episode starts without accounts of the program and
 * runs at most 100 transactions. Every second episode also writes accounts into invalid states. The
 * seed determines everything: episode n of seed s is episode 0 of seed s + n, so that a difference
 * can be replayed directly.
 */
import { Random } from '../../../tools/random.ts';
import type { Call } from './call.ts';
import { writeInitialState } from './initial-state.ts';
import type { KnownAccounts } from './known-accounts.ts';
import { Difference, type Machines } from './machines.ts';
import { mutateCall, tamper } from './mutations.ts';
import { isOneIn, randomTime } from './numbers.ts';
import { INITIAL_STEPS, initialCall, randomCall } from './random-calls.ts';
import type { Scene } from './scene.ts';
import { i64At, KINDS, State } from './state.ts';

const TRANSACTIONS_PER_EPISODE = 100;
const START = 1_800_000_000n;
const FIRST_SLOT = 1_000n;
const HOUR_SECONDS = 3600n;

/** Number of transactions by outcome: 'landed' or the error. */
export type Tally = Map<string, number>;

/** @throws Difference with the seed that replays the difference */
export function playEpisodes(
  machines: Machines,
  known: KnownAccounts,
  seed: number,
  transactions: number,
): Tally {
  const tally: Tally = new Map();
  for (
    let played = 0, episode = seed;
    played < transactions;
    played += TRANSACTIONS_PER_EPISODE, episode += 1
  ) {
    const count = Math.min(TRANSACTIONS_PER_EPISODE, transactions - played);
    playEpisode(machines, known, episode, count, tally);
  }
  return tally;
}

function playEpisode(
  machines: Machines,
  known: KnownAccounts,
  seed: number,
  count: number,
  tally: Tally,
): void {
  const random = new Random(seed);
  const mayTamper = seed % 2 === 1;
  const state = new State(machines);
  let now = START;
  let slot = FIRST_SLOT;
  writeInitialState(machines, known);
  for (let number = 0; number < count; number += 1) {
    if (isOneIn(random, 4)) now += randomTimeStep(random, state, now);
    slot += BigInt(random.below(2));
    machines.setClock(slot, now);
    if (mayTamper && isOneIn(random, 4)) state.update([tamper(random, machines, known, state, now)]);
    const scene = { random, known, state, now };
    const calls = number < INITIAL_STEPS ? [initialCall(scene, number)] : randomCalls(scene);
    try {
      const { error } = machines.run(known.feePayer, calls);
      const outcome = error ?? 'landed';
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    } catch (cause) {
      if (!(cause instanceof Difference)) throw cause;
      const printable = calls.map(({ accounts, data }) => ({
        data: Buffer.from(data).toString('hex'),
        accounts: accounts.map(
          ({ address, signer, writable }) => `${address} ${signer ? 's' : ''}${writable ? 'w' : ''}`,
        ),
      }));
      throw new Difference(
        `seed ${seed}, transaction ${number}, time ${now}: ${cause.message}\n${JSON.stringify(printable, null, 1)}`,
        { cause },
      );
    }
    state.update(calls.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  }
  for (const address of known.accounts) machines.compare(address);
}

function randomCalls(scene: Scene): Call[] {
  const { random, known, now } = scene;
  return Array.from({ length: isOneIn(random, 5) ? 2 : 1 }, () => {
    const call = randomCall(scene);
    return isOneIn(random, 4) ? mutateCall(random, known, call, now) : call;
  });
}

/** The seconds to a time near one that the rules of an account use, or a random step. */
function randomTimeStep(random: Random, state: State, now: bigint): bigint {
  const [account] = random.shuffled(state.of(KINDS.plan, KINDS.fixed, KINDS.recurring, KINDS.subscription));
  const limits = account ? [99, 139, 147, 179, 187].map((offset) => i64At(account, offset)) : [];
  const limit = limits.length > 0 ? random.pick(limits) + random.pick([-1n, 0n, 1n]) : 0n;
  if (limit > now && limit < now + 100n * HOUR_SECONDS && isOneIn(random, 2)) return limit - now;
  const step = randomTime(random, 0n);
  return step > 0n && step < 10n * HOUR_SECONDS
    ? step
    : random.pick([1n, 60n, HOUR_SECONDS, 2n * HOUR_SECONDS]);
}
