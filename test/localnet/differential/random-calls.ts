/** Random calls of each instruction of the program, with existing accounts where possible. */
import { SUBSCRIPTIONS_PROGRAM } from '../../../localnet/genesis.ts';
import { EVENT_AUTHORITY } from '../program/instructions.ts';
import { packed } from '../program/packed-bytes.ts';
import { type Call, meta } from './call.ts';
import {
  closeAuthority,
  createDelegation,
  initAuthority,
  revokeAbandoned,
  revokeAuthority,
  revokeDelegation,
  transferDelegation,
} from './delegation-calls.ts';
import { isOneIn } from './numbers.ts';
import {
  changeSubscription,
  createPlan,
  deletePlan,
  subscribe,
  transferSubscription,
  updatePlan,
} from './plan-calls.ts';
import type { CallBuilder, Scene } from './scene.ts';
import { KINDS } from './state.ts';

/** A random, well-formed call. It may still fail in the current state. */
export function randomCall(scene: Scene): Call {
  const { random, state } = scene;
  for (;;) {
    const [kinds, builder] = random.pick(CANDIDATES);
    const lacksAccounts = kinds.length > 0 && state.of(...kinds).length === 0;
    if (!lacksAccounts || isOneIn(random, 20)) return { program: SUBSCRIPTIONS_PROGRAM, ...builder(scene) };
  }
}

/** The call of a step at the start of an episode, which creates the first accounts. */
export function initialCall(scene: Scene, step: number): Call {
  const builder = INITIAL_BUILDERS[step] ?? subscribe;
  return { program: SUBSCRIPTIONS_PROGRAM, ...builder(scene) };
}

const otherInstruction: CallBuilder = ({ random }) => ({
  accounts: [meta(EVENT_AUTHORITY, random.pick(['', 's'] as const))],
  data: packed(random.pick([228, 228, 18, 227, 255]), new Uint8Array(random.below(20))),
});

const { authority, plan, fixed, recurring, subscription } = KINDS;

/** The kinds of accounts that a call needs, and its builder. */
type Candidate = readonly [readonly number[], CallBuilder];

const CANDIDATES: readonly Candidate[] = [
  [[], initAuthority],
  [[], otherInstruction],
  [[], createPlan],
  [[authority], closeAuthority],
  [[authority], revokeAuthority],
  ...twice([[authority], createDelegation(1)], [[authority], createDelegation(2)]),
  ...twice([[fixed], transferDelegation(4)], [[recurring], transferDelegation(5)]),
  ...twice([[fixed, recurring, subscription], revokeDelegation], [[plan], updatePlan], [[plan], subscribe]),
  [[fixed, recurring], revokeAbandoned(15)],
  [[subscription], revokeAbandoned(16)],
  [[plan], deletePlan],
  ...twice([[subscription], transferSubscription], [[subscription], transferSubscription]),
  [[subscription], changeSubscription(12)],
  [[subscription], changeSubscription(13)],
  [[subscription], changeSubscription(17)],
];

const INITIAL_BUILDERS: readonly CallBuilder[] = [
  ...times(6, initAuthority),
  ...times(4, createPlan),
  ...times(4, subscribe),
  ...times(2, createDelegation(1)),
  ...times(3, createDelegation(2)),
];
export const INITIAL_STEPS = INITIAL_BUILDERS.length;

function times(count: number, builder: CallBuilder): CallBuilder[] {
  return Array.from({ length: count }, () => builder);
}

function twice(...items: Candidate[]): Candidate[] {
  return [...items, ...items];
}
