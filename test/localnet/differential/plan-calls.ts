/** Random calls for plans and subscriptions. */
import type { Address } from '@solana/kit';
import type { Random } from '../../../tools/random.ts';
import { packed } from '../program/packed-bytes.ts';
import { meta } from './call.ts';
import { type KnownAccounts, SYSTEM_PROGRAM } from './known-accounts.ts';
import { isOneIn, nearbyNumber, randomTime } from './numbers.ts';
import {
  authorityAt,
  type CallBuilder,
  EVENTS,
  existingPlan,
  expectedInitId,
  HOUR_SECONDS,
  mintAt,
  pulledAmount,
  randomHookAccounts,
  randomReceiver,
  randomSponsor,
  tokenAccountOf,
} from './scene.ts';
import { addressAt, bytesAt, i64At, KINDS } from './state.ts';

export const createPlan: CallBuilder = ({ random, known, state, now }) => {
  const { address, owner, id } = random.pick(known.plans);
  const authorityMints = state.of(KINDS.authority).map((account) => authorityAt(known, account.address).mint);
  const mint = random.pick(authorityMints.length > 0 ? authorityMints : known.mints);
  const hours = isOneIn(random, 10) ? random.pick([0n, 8760n, 8761n]) : random.pick([1n, 2n]);
  const end = isOneIn(random, 2)
    ? 0n
    : now + random.pick([0n, HOUR_SECONDS, 2n * HOUR_SECONDS, 2n * HOUR_SECONDS - 1n, 5n * HOUR_SECONDS]);
  return {
    accounts: [
      ...[meta(owner, 'sw'), meta(address, 'w'), meta(mint.address), meta(SYSTEM_PROGRAM)],
      ...[meta(mint.program), ...randomSponsor(random, known)],
    ],
    data: packed(
      ...[7, id, mint.address, isOneIn(random, 20) ? 0n : 1_000n, hours, 77n, end],
      ...[
        ...randomList(random, known),
        ...randomList(random, known),
        new Uint8Array(128).fill(id === 0n ? 65 : 0),
      ],
    ),
  };
};

export const updatePlan: CallBuilder = (scene) => {
  const { random, known, now } = scene;
  const plan = existingPlan(scene);
  const [created, end] = plan ? [i64At(plan, 91), i64At(plan, 99)] : [0n, 0n];
  const pullers = plan ? bytesAt(plan, 235, 128) : new Uint8Array(128);
  const uri = plan ? bytesAt(plan, 363, 128) : new Uint8Array(128);
  const newEnd = random.pick([end, end, end - 1n, randomTime(random, now), now + 9n * HOUR_SECONDS]);
  const newPullers = isOneIn(random, 2) ? pullers : packed(...randomList(random, known));
  return {
    accounts: [
      meta(plan ? addressAt(plan, 1) : random.pick(known.wallets), 's'),
      ...[meta(plan?.address ?? random.pick(known.plans).address, 'w'), ...EVENTS],
    ],
    data: packed(
      ...[8, random.pick([0, 1, 1, 2]), newEnd, newPullers],
      ...[isOneIn(random, 4) ? new Uint8Array(128) : uri, created, end, pullers, uri],
    ),
  };
};

export const deletePlan: CallBuilder = (scene) => {
  const plan = existingPlan(scene);
  const owner = plan ? addressAt(plan, 1) : scene.random.pick(scene.known.wallets);
  return {
    accounts: [meta(owner, 'sw'), meta(plan?.address ?? SYSTEM_PROGRAM, 'w')],
    data: packed(9),
  };
};

export const transferSubscription: CallBuilder = (scene) => {
  const { random, known, state } = scene;
  const [account] = random.shuffled(state.of(KINDS.subscription));
  const planAddress = account ? addressAt(account, 35) : random.pick(known.plans).address;
  const plan = state.get(planAddress);
  const delegator = account ? addressAt(account, 3) : random.pick(known.wallets);
  const mint = mintAt(scene, plan ? addressAt(plan, 43) : null);
  const authority = known.authorities.find(
    (candidate) => candidate.user === delegator && candidate.mint === mint,
  );
  const callers = plan ? [addressAt(plan, 1), addressAt(plan, 235)] : known.wallets;
  const allowed = plan ? addressAt(plan, 107) : SYSTEM_PROGRAM;
  const to = known.tokenAccounts.find(
    (tokenAccount) => tokenAccount.wallet === allowed && tokenAccount.mint === mint,
  );
  return {
    accounts: [
      ...[meta(account?.address ?? SYSTEM_PROGRAM, 'w'), meta(planAddress)],
      meta(authority?.address ?? random.pick(known.authorities).address),
      ...[
        meta(tokenAccountOf(known, delegator, mint), 'w'),
        meta(to?.address ?? randomReceiver(scene, mint), 'w'),
      ],
      ...[meta(random.pick(callers), 's'), meta(mint.address), meta(mint.program), ...EVENTS],
      ...randomHookAccounts(scene, mint),
    ],
    data: packed(10, pulledAmount(random, account ? i64At(account, 107) : 0n), delegator, mint.address),
  };
};

export const subscribe: CallBuilder = (scene) => {
  const { random, known } = scene;
  const planAccount = existingPlan(scene);
  const candidate =
    known.plans.find(({ address }) => address === planAccount?.address) ?? random.pick(known.plans);
  const mint = mintAt(scene, planAccount ? addressAt(planAccount, 43) : null);
  const candidates = known.authorities.filter((account) => account.mint === mint);
  const existing = candidates.filter(({ address }) => scene.state.get(address));
  const knownAuthority = random.pick(existing.length > 0 && !isOneIn(random, 8) ? existing : candidates);
  const { user: subscriber, address: authority } = knownAuthority;
  const terms = planAccount ? bytesAt(planAccount, 75, 24) : new Uint8Array(24);
  return {
    accounts: [
      ...[meta(subscriber, 'sw'), meta(candidate.owner), meta(candidate.address)],
      ...[meta(known.subscription(candidate.address, subscriber), 'w'), meta(authority)],
      ...[meta(SYSTEM_PROGRAM), ...EVENTS, ...randomSponsor(random, known)],
    ],
    data: packed(
      ...[11, candidate.id, candidate.bump, mint.address, terms],
      expectedInitId(scene, authority),
    ),
  };
};

export const changeSubscription =
  (instruction: 12 | 13 | 17): CallBuilder =>
  (scene) => {
    const { random, known, state } = scene;
    const [account] = random.shuffled(state.of(KINDS.subscription));
    const plan = account ? addressAt(account, 35) : random.pick(known.plans).address;
    const planAccount = state.get(plan);
    const subscriber = meta(account ? addressAt(account, 3) : random.pick(known.wallets), 's');
    const subscription = meta(account?.address ?? SYSTEM_PROGRAM, 'w');
    if (instruction === 12) {
      return { accounts: [subscriber, meta(plan), subscription, ...EVENTS], data: packed(12) };
    }
    if (instruction === 17) {
      const merchant = meta(planAccount ? addressAt(planAccount, 1) : random.pick(known.wallets), 's');
      const expectedStart = nearbyNumber(random, account ? i64At(account, 139) : 0n);
      return {
        accounts: [subscriber, merchant, meta(plan), subscription, ...EVENTS],
        data: packed(17, expectedStart),
      };
    }
    const mint = mintAt(scene, planAccount ? addressAt(planAccount, 43) : null);
    const authority = known.authorities.find(
      (candidate) => candidate.user === subscriber.address && candidate.mint === mint,
    );
    return {
      accounts: [
        ...[subscriber, meta(plan), subscription, meta(authority?.address ?? SYSTEM_PROGRAM)],
        ...EVENTS,
      ],
      data: packed(13, nearbyNumber(random, account ? i64At(account, 147) : 0n)),
    };
  };

/** A list of a plan's addresses, some of which are unused. */
function randomList(random: Random, { wallets }: KnownAccounts): Address[] {
  return Array.from({ length: 4 }, () => (isOneIn(random, 3) ? random.pick(wallets) : SYSTEM_PROGRAM));
}
