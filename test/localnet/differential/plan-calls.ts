/** Calls of plans and subscriptions. */
import type { Address } from '@solana/kit';
import type { Random } from '../../../tools/random.ts';
import { packed } from '../program/packed-bytes.ts';
import { meta } from './call.ts';
import { instant, isOneIn, nearbyNumber } from './numbers.ts';
import { type Places, SYSTEM_PROGRAM } from './places.ts';
import {
  authorityAt,
  EVENTS,
  HOUR,
  hookAccounts,
  livePlan,
  type Maker,
  mintAt,
  pulledAmount,
  purseOf,
  receiver,
  seenInitId,
  sponsor,
} from './scene.ts';
import { addressAt, bytesAt, i64At, KINDS } from './state.ts';

export const createPlan: Maker = ({ random, places, state, now }) => {
  const { address, owner, id } = random.pick(places.plans);
  const known = state.of(KINDS.authority).map((one) => authorityAt(places, one.address).mint);
  const mint = random.pick(known.length > 0 ? known : places.mints);
  const hours = isOneIn(random, 10) ? random.pick([0n, 8760n, 8761n]) : random.pick([1n, 2n]);
  const end = isOneIn(random, 2) ? 0n : now + random.pick([0n, HOUR, 2n * HOUR, 2n * HOUR - 1n, 5n * HOUR]);
  return {
    accounts: [
      ...[meta(owner, 'sw'), meta(address, 'w'), meta(mint.address), meta(SYSTEM_PROGRAM)],
      ...[meta(mint.program), ...sponsor(random, places)],
    ],
    data: packed(
      ...[7, id, mint.address, isOneIn(random, 20) ? 0n : 1_000n, hours, 77n, end],
      ...[...fourOf(random, places), ...fourOf(random, places), new Uint8Array(128).fill(id === 0n ? 65 : 0)],
    ),
  };
};

export const updatePlan: Maker = (scene) => {
  const { random, places, now } = scene;
  const plan = livePlan(scene);
  const [created, end] = plan ? [i64At(plan, 91), i64At(plan, 99)] : [0n, 0n];
  const pullers = plan ? bytesAt(plan, 235, 128) : new Uint8Array(128);
  const uri = plan ? bytesAt(plan, 363, 128) : new Uint8Array(128);
  const wantedEnd = random.pick([end, end, end - 1n, instant(random, now), now + 9n * HOUR]);
  const wantedPullers = isOneIn(random, 2) ? pullers : packed(...fourOf(random, places));
  return {
    accounts: [
      meta(plan ? addressAt(plan, 1) : random.pick(places.wallets), 's'),
      ...[meta(plan?.address ?? random.pick(places.plans).address, 'w'), ...EVENTS],
    ],
    data: packed(
      ...[8, random.pick([0, 1, 1, 2]), wantedEnd, wantedPullers],
      ...[isOneIn(random, 4) ? new Uint8Array(128) : uri, created, end, pullers, uri],
    ),
  };
};

export const deletePlan: Maker = (scene) => {
  const plan = livePlan(scene);
  const owner = plan ? addressAt(plan, 1) : scene.random.pick(scene.places.wallets);
  return {
    accounts: [meta(owner, 'sw'), meta(plan?.address ?? SYSTEM_PROGRAM, 'w')],
    data: packed(9),
  };
};

export const transferSubscription: Maker = (scene) => {
  const { random, places, state } = scene;
  const [one] = random.shuffled(state.of(KINDS.subscription));
  const planAddress = one ? addressAt(one, 35) : random.pick(places.plans).address;
  const plan = state.get(planAddress);
  const delegator = one ? addressAt(one, 3) : random.pick(places.wallets);
  const mint = mintAt(scene, plan ? addressAt(plan, 43) : null);
  const authority = places.authorities.find((place) => place.user === delegator && place.mint === mint);
  const callers = plan ? [addressAt(plan, 1), addressAt(plan, 235)] : places.wallets;
  const allowed = plan ? addressAt(plan, 107) : SYSTEM_PROGRAM;
  const to = places.purses.find((purse) => purse.wallet === allowed && purse.mint === mint);
  return {
    accounts: [
      ...[meta(one?.address ?? SYSTEM_PROGRAM, 'w'), meta(planAddress)],
      meta(authority?.address ?? random.pick(places.authorities).address),
      ...[meta(purseOf(places, delegator, mint), 'w'), meta(to?.address ?? receiver(scene, mint), 'w')],
      ...[meta(random.pick(callers), 's'), meta(mint.address), meta(mint.program), ...EVENTS],
      ...hookAccounts(scene, mint),
    ],
    data: packed(10, pulledAmount(random, one ? i64At(one, 107) : 0n), delegator, mint.address),
  };
};

export const subscribe: Maker = (scene) => {
  const { random, places } = scene;
  const live = livePlan(scene);
  const place = places.plans.find(({ address }) => address === live?.address) ?? random.pick(places.plans);
  const mint = mintAt(scene, live ? addressAt(live, 43) : null);
  const mine = places.authorities.filter((one) => one.mint === mint);
  const ready = mine.filter(({ address }) => scene.state.get(address));
  const chosen = random.pick(ready.length > 0 && !isOneIn(random, 8) ? ready : mine);
  const { user: subscriber, address: authority } = chosen;
  const terms = live ? bytesAt(live, 75, 24) : new Uint8Array(24);
  return {
    accounts: [
      ...[meta(subscriber, 'sw'), meta(place.owner), meta(place.address)],
      ...[meta(places.subscription(place.address, subscriber), 'w'), meta(authority)],
      ...[meta(SYSTEM_PROGRAM), ...EVENTS, ...sponsor(random, places)],
    ],
    data: packed(...[11, place.id, place.bump, mint.address, terms], seenInitId(scene, authority)),
  };
};

export const aboutSubscription =
  (instruction: 12 | 13 | 17): Maker =>
  (scene) => {
    const { random, places, state } = scene;
    const [one] = random.shuffled(state.of(KINDS.subscription));
    const plan = one ? addressAt(one, 35) : random.pick(places.plans).address;
    const live = state.get(plan);
    const subscriber = meta(one ? addressAt(one, 3) : random.pick(places.wallets), 's');
    const subscription = meta(one?.address ?? SYSTEM_PROGRAM, 'w');
    if (instruction === 12) {
      return { accounts: [subscriber, meta(plan), subscription, ...EVENTS], data: packed(12) };
    }
    if (instruction === 17) {
      const merchant = meta(live ? addressAt(live, 1) : random.pick(places.wallets), 's');
      const seen = nearbyNumber(random, one ? i64At(one, 139) : 0n);
      return {
        accounts: [subscriber, merchant, meta(plan), subscription, ...EVENTS],
        data: packed(17, seen),
      };
    }
    const mint = mintAt(scene, live ? addressAt(live, 43) : null);
    const authority = places.authorities.find(
      (place) => place.user === subscriber.address && place.mint === mint,
    );
    return {
      accounts: [
        ...[subscriber, meta(plan), subscription, meta(authority?.address ?? SYSTEM_PROGRAM)],
        ...EVENTS,
      ],
      data: packed(13, nearbyNumber(random, one ? i64At(one, 147) : 0n)),
    };
  };

/** A plan's list of addresses, with unused places. */
function fourOf(random: Random, { wallets }: Places): Address[] {
  return Array.from({ length: 4 }, () => (isOneIn(random, 3) ? random.pick(wallets) : SYSTEM_PROGRAM));
}
