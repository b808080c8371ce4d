/** Calls of authorities and of fixed and recurring delegations. */
import type { Address } from '@solana/kit';
import type { Random } from '../../../tools/random.ts';
import { packed } from '../program/packed-bytes.ts';
import { type Meta, meta } from './call.ts';
import { amount, instant, isOneIn } from './numbers.ts';
import { SYSTEM_PROGRAM } from './places.ts';
import {
  authorityAt,
  EVENTS,
  HOUR,
  hookAccounts,
  liveAuthority,
  type Maker,
  mintAt,
  pulledAmount,
  purseOf,
  receiver,
  type Scene,
  seenInitId,
  sponsor,
} from './scene.ts';
import { addressAt, i64At, KINDS } from './state.ts';

export const initAuthority: Maker = ({ random, places }) => {
  const { address, user, mint } = random.pick(places.authorities);
  return {
    accounts: [
      ...[meta(user, 'sw'), meta(address, 'w'), meta(mint.address), meta(purseOf(places, user, mint), 'w')],
      ...[meta(SYSTEM_PROGRAM), meta(mint.program), ...sponsor(random, places)],
    ],
    data: packed(0),
  };
};

export const createDelegation =
  (instruction: 1 | 2): Maker =>
  (scene) => {
    const { random, places, now } = scene;
    const authority = liveAuthority(scene);
    const delegatee = random.pick(places.wallets);
    const nonce = BigInt(random.below(2));
    const place = places.delegations.find(
      (one) => one.authority === authority && one.delegatee === delegatee && one.nonce === nonce,
    );
    const terms =
      instruction === 1
        ? packed(amount(random), instant(random, now))
        : packed(amount(random), period(random), instant(random, now), instant(random, now));
    return {
      accounts: [
        ...[meta(authority.user, 'sw'), meta(authority.address), meta(place?.address ?? SYSTEM_PROGRAM, 'w')],
        ...[meta(delegatee), meta(SYSTEM_PROGRAM), ...sponsor(random, places)],
      ],
      data: packed(instruction, nonce, terms, seenInitId(scene, authority.address)),
    };
  };

export const transferDelegation =
  (instruction: 4 | 5): Maker =>
  (scene) => {
    const { random, places, state } = scene;
    const there = state.of(instruction === 4 ? KINDS.fixed : KINDS.recurring);
    const place = random.pick(places.delegations);
    const one = there.length > 0 ? random.pick(there) : undefined;
    const authority = authorityAt(places, one ? addressAt(one, 107) : place.authority.address);
    const { mint, user } = authority;
    const left = one ? i64At(one, instruction === 4 ? 171 : 195) : 0n;
    return {
      accounts: [
        ...[meta(one?.address ?? place.address, 'w'), meta(authority.address)],
        ...[meta(purseOf(places, user, mint), 'w'), meta(receiver(scene, mint), 'w')],
        ...[meta(mint.address), meta(mint.program), meta(one ? addressAt(one, 35) : place.delegatee, 's')],
        ...[...EVENTS, ...hookAccounts(scene, mint)],
      ],
      data: packed(instruction, pulledAmount(random, left), user, mint.address),
    };
  };

export const revokeDelegation: Maker = (scene) => {
  const { random, places, state } = scene;
  const there = state.of(KINDS.fixed, KINDS.recurring, KINDS.subscription);
  const one = there.length > 0 ? random.pick(there) : undefined;
  const actor = one ? addressAt(one, random.pick([3, 3, 67])) : random.pick(places.wallets);
  const isSubscription = !one || one.kind === KINDS.subscription;
  return {
    accounts: [
      ...[meta(actor, 'sw'), meta(one?.address ?? random.pick(places.delegations).address, 'w')],
      ...(isSubscription ? [meta(one ? addressAt(one, 35) : random.pick(places.plans).address)] : []),
      ...(one && isOneIn(random, 2) ? [meta(addressAt(one, 67), 'w')] : []),
    ],
    data: packed(3),
  };
};

export const closeAuthority: Maker = (scene) => {
  const { address, user } = liveAuthority(scene);
  return { accounts: [meta(user, 'sw'), meta(address, 'w'), ...payerOf(scene, address)], data: packed(6) };
};

export const revokeAuthority: Maker = (scene) => {
  const { address, user, mint } = liveAuthority(scene);
  return {
    accounts: [
      ...[meta(user, 'sw'), meta(purseOf(scene.places, user, mint), 'w'), meta(mint.address)],
      ...[meta(mint.program), meta(address, 'w'), ...payerOf(scene, address)],
    ],
    data: packed(14),
  };
};

export const revokeAbandoned =
  (instruction: 15 | 16): Maker =>
  (scene) => {
    const { random, places, state } = scene;
    const kinds = instruction === 15 ? [KINDS.fixed, KINDS.recurring] : [KINDS.subscription];
    const [one] = random.shuffled(state.of(...kinds));
    const payer = meta(one ? addressAt(one, 67) : random.pick(places.wallets), 'sw');
    const account = meta(one?.address ?? random.pick(places.delegations).address, 'w');
    if (instruction === 15) {
      const authority = one ? addressAt(one, 107) : random.pick(places.authorities).address;
      return { accounts: [payer, account, meta(authority)], data: packed(15) };
    }
    const plan = one ? addressAt(one, 35) : random.pick(places.plans).address;
    const live = state.get(plan);
    const mint = mintAt(scene, live ? addressAt(live, 43) : null);
    const delegator = one ? addressAt(one, 3) : payer.address;
    const authority = places.authorities.find((place) => place.user === delegator && place.mint === mint);
    return {
      accounts: [payer, account, meta(authority?.address ?? SYSTEM_PROGRAM), meta(plan)],
      data: packed(16),
    };
  };

function period(random: Random): bigint {
  return random.pick([0n, 1n, 60n, HOUR, HOUR, HOUR, 31_536_000n, 31_536_001n]);
}

function payerOf({ random, state }: Scene, authority: Address): Meta[] {
  const live = state.get(authority);
  return live && isOneIn(random, 2) ? [meta(addressAt(live, 65), 'w')] : [];
}
