/** One call of each instruction of the program, with existing accounts where possible. */
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
  aboutSubscription,
  createPlan,
  deletePlan,
  subscribe,
  transferSubscription,
  updatePlan,
} from './plan-calls.ts';
import type { Maker, Scene } from './scene.ts';
import { KINDS } from './state.ts';

/** A random, well-formed instruction. It may still fail in the current state. */
export function randomCall(scene: Scene): Call {
  const { random, state } = scene;
  for (;;) {
    const [needed, maker] = random.pick(MAKERS);
    const isPointless = needed.length > 0 && state.of(...needed).length === 0;
    if (!isPointless || isOneIn(random, 20)) return { program: SUBSCRIPTIONS_PROGRAM, ...maker(scene) };
  }
}

/** The instruction of a step that creates the first accounts of an episode. */
export function foundingCall(scene: Scene, step: number): Call {
  const maker = FOUNDATION[step] ?? subscribe;
  return { program: SUBSCRIPTIONS_PROGRAM, ...maker(scene) };
}

const other: Maker = ({ random }) => ({
  accounts: [meta(EVENT_AUTHORITY, random.pick(['', 's'] as const))],
  data: packed(random.pick([228, 228, 18, 227, 255]), new Uint8Array(random.below(20))),
});

const { authority, plan, fixed, recurring, subscription } = KINDS;

/** An instruction, and the accounts that it needs. */
type Candidate = readonly [readonly number[], Maker];

const MAKERS: readonly Candidate[] = [
  [[], initAuthority],
  [[], other],
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
  [[subscription], aboutSubscription(12)],
  [[subscription], aboutSubscription(13)],
  [[subscription], aboutSubscription(17)],
];

const FOUNDATION: readonly Maker[] = [
  ...times(6, initAuthority),
  ...times(4, createPlan),
  ...times(4, subscribe),
  ...times(2, createDelegation(1)),
  ...times(3, createDelegation(2)),
];
export const FOUNDING_STEPS = FOUNDATION.length;

function times(count: number, maker: Maker): Maker[] {
  return Array.from({ length: count }, () => maker);
}

function twice(...items: Candidate[]): Candidate[] {
  return [...items, ...items];
}
