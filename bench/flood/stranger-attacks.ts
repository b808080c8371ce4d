import { setTimeout as wait } from 'node:timers/promises';
import { getIntrospectionQuery } from 'graphql';
import { mapConcurrently } from '../../src/async/map-concurrently.ts';
import { subscriptionAddress } from '../../src/chain/accounts/addresses.ts';
import { ENDLESS_OWNER, LARGE_OWNER } from '../../tools/stranger-node.ts';
import {
  createLargeAccount,
  createWorthlessMint,
  landInnerCalls,
  pullLargeAmount,
} from '../../tools/strangers.ts';
import { createAddress, MAX_U64 } from '../../tools/world/seed-subscriptions.ts';
import { graphql } from '../lib/api-requests.ts';
import { round } from '../lib/statistics.ts';
import type { STRANGER_ATTACK_NAMES } from './figures.ts';
import { askAtIntervals, askOnce, postJson } from './stranger-requests.ts';
import type { StrangerWorld } from './stranger-world.ts';

/** How an attack affected others, besides their requests. In seconds, at most `MAX_SECONDS`. */
export interface Effects {
  /** From when honest payments of the same claim were due until all were collected. */
  readonly honestCollectedS?: number;
  /** Until the stored position of the mirror had passed a slot after the attack. */
  readonly positionS?: number;
}

/** An attack that was prepared on the chain and in the books. */
export interface PreparedAttack {
  /**
   * When the attack begins and honest payments are due, in Unix seconds; default: at once, and none
   * are due. As many are due `QUIET_SECONDS` before.
   */
  readonly at?: number;
  run(): Promise<Effects>;
}

export interface StrangerAttack {
  readonly what: string;
  /** How long honest callers are measured after the beginning of the attack. */
  readonly seconds: number;
  prepare(world: StrangerWorld): Promise<PreparedAttack>;
}

const MAX_SECONDS = 25;
const HONEST_PAYMENTS = 100;
/**
 * Longer than between two runs of the scheduler, which adds the jobs of payments that are due soon.
 */
const DUE_IN_SECONDS = 32;
/** Longer than honest callers are measured before an attack. */
export const QUIET_SECONDS = 10;
const POLL_MS = 100;
/** Several polls of the indexer. */
const SEEN_MS = 8_000;
const LARGE_DELEGATES = 45;
const LARGE_WALLET_REQUESTS = 65;
const LARGE_WALLET_SECONDS = 16;
const MISSING_APPROVALS = 5;
const INTROSPECTIONS = 300;
const INTROSPECTION_CONNECTIONS = 20;
const WALLET_STATES = '{ subscriptions(limit: 45) { data { walletState { balance } } } }';

/** The attacks of strangers. The figures have their names. */
export const STRANGER_ATTACKS = {
  a1: {
    what: 'payers whose token accounts name 10 MB accounts as delegates',
    seconds: 10,
    async prepare(world) {
      const mint = await createWorthlessMint(world.client);
      const delegates = await mapConcurrently(Array.from({ length: LARGE_DELEGATES }), 8, () =>
        createLargeAccount(world.client, ENDLESS_OWNER),
      );
      const startedAt = inSeconds(DUE_IN_SECONDS);
      const strangers = await world.seed({ count: LARGE_DELEGATES, startedAt, mint, delegates });
      const key = await world.newKey(strangers);
      const collected = await honestPayments(world, startedAt);
      return {
        at: startedAt,
        run: async () => {
          void askAtIntervals(world.url, Array(20).fill(graphql(key, WALLET_STATES, {})), 10);
          return { honestCollectedS: await collected() };
        },
      };
    },
  },
  a2: {
    what: 'an account of 10 MB as the wallet of a checkout',
    seconds: LARGE_WALLET_SECONDS,
    async prepare(world) {
      const userWallet = await createLargeAccount(world.client, LARGE_OWNER);
      const session = await world.openCheckout();
      const request = postJson(`/api/checkout/${session}/transaction`, { userWallet });
      return {
        run: async () => {
          await askAtIntervals(world.url, Array(LARGE_WALLET_REQUESTS).fill(request), LARGE_WALLET_SECONDS);
          return {};
        },
      };
    },
  },
  a3: {
    what: 'one completion that names a transaction with 63 inner calls of 10 KiB',
    seconds: 10,
    async prepare(world) {
      const userWallet = createAddress();
      const subscriptionPda = await subscriptionAddress(world.merchant.plan, userWallet);
      const signature = await landInnerCalls(world, subscriptionPda);
      const session = await world.openCheckout();
      const request = postJson(`/api/checkout/${session}/complete`, {
        subscriptionPda,
        userWallet,
        signature,
      });
      return {
        run: async () => {
          await askAtIntervals(world.url, [request], 0);
          return {};
        },
      };
    },
  },
  a4: {
    what: 'balances and amounts of 2^63 and more',
    seconds: 10,
    async prepare(world) {
      const mint = await createWorthlessMint(world.client);
      const startedAt = inSeconds(DUE_IN_SECONDS);
      const rich = { startedAt, mint, balance: MAX_U64 };
      const { merchantId } = await world.seed({ ...rich, count: 1 });
      const strangers = await world.seed({
        ...rich,
        count: MISSING_APPROVALS,
        delegates: Array(MISSING_APPROVALS).fill(null),
      });
      const key = await world.newKey(strangers);
      const collected = await honestPayments(world, startedAt);
      return {
        at: startedAt,
        run: async () => {
          void askAtIntervals(world.url, Array(20).fill(graphql(key, WALLET_STATES, {})), 10);
          // The payer was past due, and now has more than a signed number holds.
          await world.db.$executeRaw`
            UPDATE "Subscription" SET "status" = 'PAST_DUE', "failureCount" = 1,
              "nextAttemptAt" = now() + interval '1 day'
            WHERE "merchantId" = ${merchantId}::uuid`;
          await pullLargeAmount(world, mint);
          const [honestCollectedS, positionS] = await Promise.all([collected(), positionPassed(world)]);
          return { honestCollectedS, positionS };
        },
      };
    },
  },
  a5: {
    what: 'introspection queries of one key',
    seconds: 10,
    async prepare(world) {
      const strangers = await world.seed({ count: 0, startedAt: inSeconds(0) });
      const key = await world.newKey(strangers);
      const query = getIntrospectionQuery();
      // Half of the queries differ, so that no text is known.
      const requests = Array.from({ length: INTROSPECTIONS }, (_, index) =>
        graphql(key, index % 2 === 0 ? query : `${query}\n# ${index}`, {}),
      );
      return {
        run: async () => {
          await mapConcurrently(requests, INTROSPECTION_CONNECTIONS, (request) =>
            askOnce(world.url, request),
          );
          return {};
        },
      };
    },
  },
} satisfies Record<(typeof STRANGER_ATTACK_NAMES)[number], StrangerAttack>;

export type StrangerAttackName = keyof typeof STRANGER_ATTACKS;

/**
 * Creates payments of an honest merchant that are due at `startedAt`, and as many that are due
 * before the attack: what collecting them costs is no part of it. The returned function resolves
 * with the seconds until all of the attack are collected.
 */
async function honestPayments(world: StrangerWorld, startedAt: number): Promise<() => Promise<number>> {
  await world.seed({ count: HONEST_PAYMENTS, startedAt: startedAt - QUIET_SECONDS });
  const { merchantId } = await world.seed({ count: HONEST_PAYMENTS, startedAt });
  const where = { merchantId, status: 'SUCCEEDED' } as const;
  return () => secondsUntil(async () => (await world.db.payment.count({ where })) === HONEST_PAYMENTS);
}

/** The seconds until the stored position has passed a slot, once the indexer has seen the attack. */
async function positionPassed({ client, db }: StrangerWorld): Promise<number> {
  await wait(SEEN_MS);
  const slot = await client.call<number>('getSlot', [{ commitment: 'confirmed' }]);
  return secondsUntil(async () => (await db.streamPosition.count({ where: { slot: { gt: slot } } })) > 0);
}

async function secondsUntil(condition: () => Promise<boolean>): Promise<number> {
  const since = performance.now();
  const elapsed = () => (performance.now() - since) / 1_000;
  while (elapsed() < MAX_SECONDS && !(await condition())) await wait(POLL_MS);
  return round(Math.min(elapsed(), MAX_SECONDS), 1);
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds;
}
