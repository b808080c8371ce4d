/**
 * Runs random transactions on both programs. An episode starts with no accounts and runs a few
 * dozen of them; every second episode also writes accounts into invalid states. A seed decides
 * everything: episode n of seed s is episode 0 of seed s + n, so that a finding can be replayed at
 * once.
 */
import { Random } from '../../../tools/random.ts';
import type { Call } from './call.ts';
import { Difference, type Machines } from './machines.ts';
import { mutateCall, tamper } from './mutations.ts';
import { instant, isOneIn } from './numbers.ts';
import { open } from './opening.ts';
import type { Places } from './places.ts';
import { FOUNDING_STEPS, foundingCall, randomCall } from './random-calls.ts';
import type { Scene } from './scene.ts';
import { i64At, KINDS, State } from './state.ts';

const TRANSACTIONS_AN_EPISODE = 100;
const START = 1_800_000_000n;
const FIRST_SLOT = 1_000n;
const HOUR = 3600n;

/** Number of transactions by outcome: 'landed' or the error. */
export type Tally = Map<string, number>;

/** @throws Difference with the seed that replays it */
export function playEpisodes(machines: Machines, places: Places, seed: number, transactions: number): Tally {
  const tally: Tally = new Map();
  for (let done = 0, episode = seed; done < transactions; done += TRANSACTIONS_AN_EPISODE, episode += 1) {
    const count = Math.min(TRANSACTIONS_AN_EPISODE, transactions - done);
    playEpisode(machines, places, episode, count, tally);
  }
  return tally;
}

function playEpisode(machines: Machines, places: Places, seed: number, count: number, tally: Tally): void {
  const random = new Random(seed);
  const tampers = seed % 2 === 1;
  const state = new State(machines);
  let now = START;
  let slot = FIRST_SLOT;
  open(machines, places);
  for (let number = 0; number < count; number += 1) {
    if (isOneIn(random, 4)) now += timeForward(random, state, now);
    slot += BigInt(random.below(2));
    machines.setClock(slot, now);
    if (tampers && isOneIn(random, 4)) state.touched([tamper(random, machines, places, state, now)]);
    const scene = { random, places, state, now };
    const calls = number < FOUNDING_STEPS ? [foundingCall(scene, number)] : randomCalls(scene);
    try {
      const { error } = machines.run(places.feePayer, calls);
      const how = error ?? 'landed';
      tally.set(how, (tally.get(how) ?? 0) + 1);
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
    state.touched(calls.flatMap(({ accounts }) => accounts.map(({ address }) => address)));
  }
  for (const address of places.accounts) machines.compare(address);
}

function randomCalls(scene: Scene): Call[] {
  const { random, places, now } = scene;
  return Array.from({ length: isOneIn(random, 5) ? 2 : 1 }, () => {
    const call = randomCall(scene);
    return isOneIn(random, 4) ? mutateCall(random, places, call, now) : call;
  });
}

/** Moves to a time that an account's rules depend on, or by a usual step. */
function timeForward(random: Random, state: State, now: bigint): bigint {
  const [one] = random.shuffled(state.of(KINDS.plan, KINDS.fixed, KINDS.recurring, KINDS.subscription));
  const edges = one ? [99, 139, 147, 179, 187].map((offset) => i64At(one, offset)) : [];
  const edge = edges.length > 0 ? random.pick(edges) + random.pick([-1n, 0n, 1n]) : 0n;
  if (edge > now && edge < now + 100n * HOUR && isOneIn(random, 2)) return edge - now;
  const step = instant(random, 0n);
  return step > 0n && step < 10n * HOUR ? step : random.pick([1n, 60n, HOUR, 2n * HOUR]);
}
