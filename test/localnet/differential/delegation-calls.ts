/** Random calls for authorities and for fixed and recurring delegations. */
import type { Address } from '@solana/kit';
import type { Random } from '../../../tools/random.ts';
import { packed } from '../program/packed-bytes.ts';
import { type Meta, meta } from './call.ts';
import { SYSTEM_PROGRAM } from './known-accounts.ts';
import { isOneIn, randomAmount, randomTime } from './numbers.ts';
import {
  authorityAt,
  type CallBuilder,
  EVENTS,
  existingAuthority,
  expectedInitId,
  HOUR_SECONDS,
  mintAt,
  pulledAmount,
  randomHookAccounts,
  randomReceiver,
  randomSponsor,
  type Scene,
  tokenAccountOf,
} from './scene.ts';
import { addressAt, i64At, KINDS } from './state.ts';

export const initAuthority: CallBuilder = ({ random, known }) => {
  const { address, user, mint } = random.pick(known.authorities);
  return {
    accounts: [
      ...[
        meta(user, 'sw'),
        meta(address, 'w'),
        meta(mint.address),
        meta(tokenAccountOf(known, user, mint), 'w'),
      ],
      ...[meta(SYSTEM_PROGRAM), meta(mint.program), ...randomSponsor(random, known)],
    ],
    data: packed(0),
  };
};

export const createDelegation =
  (instruction: 1 | 2): CallBuilder =>
  (scene) => {
    const { random, known, now } = scene;
    const authority = existingAuthority(scene);
    const delegatee = random.pick(known.wallets);
    const nonce = BigInt(random.below(2));
    const candidate = known.delegations.find(
      (account) =>
        account.authority === authority && account.delegatee === delegatee && account.nonce === nonce,
    );
    const terms =
      instruction === 1
        ? packed(randomAmount(random), randomTime(random, now))
        : packed(randomAmount(random), period(random), randomTime(random, now), randomTime(random, now));
    return {
      accounts: [
        ...[
          meta(authority.user, 'sw'),
          meta(authority.address),
          meta(candidate?.address ?? SYSTEM_PROGRAM, 'w'),
        ],
        ...[meta(delegatee), meta(SYSTEM_PROGRAM), ...randomSponsor(random, known)],
      ],
      data: packed(instruction, nonce, terms, expectedInitId(scene, authority.address)),
    };
  };

export const transferDelegation =
  (instruction: 4 | 5): CallBuilder =>
  (scene) => {
    const { random, known, state } = scene;
    const existing = state.of(instruction === 4 ? KINDS.fixed : KINDS.recurring);
    const candidate = random.pick(known.delegations);
    const account = existing.length > 0 ? random.pick(existing) : undefined;
    const authority = authorityAt(known, account ? addressAt(account, 107) : candidate.authority.address);
    const { mint, user } = authority;
    const remaining = account ? i64At(account, instruction === 4 ? 171 : 195) : 0n;
    return {
      accounts: [
        ...[meta(account?.address ?? candidate.address, 'w'), meta(authority.address)],
        ...[meta(tokenAccountOf(known, user, mint), 'w'), meta(randomReceiver(scene, mint), 'w')],
        ...[
          meta(mint.address),
          meta(mint.program),
          meta(account ? addressAt(account, 35) : candidate.delegatee, 's'),
        ],
        ...[...EVENTS, ...randomHookAccounts(scene, mint)],
      ],
      data: packed(instruction, pulledAmount(random, remaining), user, mint.address),
    };
  };

export const revokeDelegation: CallBuilder = (scene) => {
  const { random, known, state } = scene;
  const existing = state.of(KINDS.fixed, KINDS.recurring, KINDS.subscription);
  const account = existing.length > 0 ? random.pick(existing) : undefined;
  const actor = account ? addressAt(account, random.pick([3, 3, 67])) : random.pick(known.wallets);
  const isSubscription = !account || account.kind === KINDS.subscription;
  return {
    accounts: [
      ...[meta(actor, 'sw'), meta(account?.address ?? random.pick(known.delegations).address, 'w')],
      ...(isSubscription ? [meta(account ? addressAt(account, 35) : random.pick(known.plans).address)] : []),
      ...(account && isOneIn(random, 2) ? [meta(addressAt(account, 67), 'w')] : []),
    ],
    data: packed(3),
  };
};

export const closeAuthority: CallBuilder = (scene) => {
  const { address, user } = existingAuthority(scene);
  return { accounts: [meta(user, 'sw'), meta(address, 'w'), ...payerOf(scene, address)], data: packed(6) };
};

export const revokeAuthority: CallBuilder = (scene) => {
  const { address, user, mint } = existingAuthority(scene);
  return {
    accounts: [
      ...[meta(user, 'sw'), meta(tokenAccountOf(scene.known, user, mint), 'w'), meta(mint.address)],
      ...[meta(mint.program), meta(address, 'w'), ...payerOf(scene, address)],
    ],
    data: packed(14),
  };
};

export const revokeAbandoned =
  (instruction: 15 | 16): CallBuilder =>
  (scene) => {
    const { random, known, state } = scene;
    const kinds = instruction === 15 ? [KINDS.fixed, KINDS.recurring] : [KINDS.subscription];
    const [account] = random.shuffled(state.of(...kinds));
    const payer = meta(account ? addressAt(account, 67) : random.pick(known.wallets), 'sw');
    const accountMeta = meta(account?.address ?? random.pick(known.delegations).address, 'w');
    if (instruction === 15) {
      const authority = account ? addressAt(account, 107) : random.pick(known.authorities).address;
      return { accounts: [payer, accountMeta, meta(authority)], data: packed(15) };
    }
    const plan = account ? addressAt(account, 35) : random.pick(known.plans).address;
    const planAccount = state.get(plan);
    const mint = mintAt(scene, planAccount ? addressAt(planAccount, 43) : null);
    const delegator = account ? addressAt(account, 3) : payer.address;
    const authority = known.authorities.find(
      (candidate) => candidate.user === delegator && candidate.mint === mint,
    );
    return {
      accounts: [payer, accountMeta, meta(authority?.address ?? SYSTEM_PROGRAM), meta(plan)],
      data: packed(16),
    };
  };

function period(random: Random): bigint {
  return random.pick([0n, 1n, 60n, HOUR_SECONDS, HOUR_SECONDS, HOUR_SECONDS, 31_536_000n, 31_536_001n]);
}

function payerOf({ random, state }: Scene, authority: Address): Meta[] {
  const existingAccount = state.get(authority);
  return existingAccount && isOneIn(random, 2) ? [meta(addressAt(existingAccount, 65), 'w')] : [];
}
