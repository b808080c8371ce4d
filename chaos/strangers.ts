// What strangers do to harm others. They name accounts, transactions and amounts that are as large
// as a cluster allows. Honest customers must be served as if there were none.
import type { Address } from '@solana/kit';
import { getIntrospectionQuery } from 'graphql';
import { subscriptionAddress } from '../src/chain/accounts/addresses.ts';
import { ENDLESS_OWNER } from '../tools/stranger-node.ts';
import {
  createLargeAccount,
  createWorthlessMint,
  landInnerCalls,
  pullLargeAmount,
  type StrangersCluster,
} from '../tools/strangers.ts';
import {
  createAddress,
  MAX_U64,
  type SeededMerchant,
  seedSubscriptions,
} from '../tools/world/seed-subscriptions.ts';
import type { Customers } from './customers.ts';
import { repeatUntilDone } from './repeat-until-done.ts';
import { DAY_SECONDS } from './schedule.ts';
import type { StrangerHabit, StrangerOrder } from './stranger-schedule.ts';
import { type ChaosMerchant, type ChaosWorld, createKey } from './world.ts';

const ANSWER_TIMEOUT_MS = 20_000;

/** Something that strangers prepared, and do while payments are collected. */
type Act = () => Promise<unknown>;

/** All strangers. Their own payments and requests are not judged. */
export class Strangers {
  readonly #world: ChaosWorld;
  readonly #cluster: StrangersCluster;
  readonly #merchant: ChaosMerchant;
  readonly #orders: readonly StrangerOrder[];
  #acts: Act[] = [];
  #topUps: Act[] = [];

  constructor(
    world: ChaosWorld,
    merchants: readonly ChaosMerchant[],
    { connection }: Customers,
    orders: readonly StrangerOrder[],
  ) {
    const [merchant] = merchants;
    if (!merchant) throw new Error('there is no merchant whose checkouts strangers can open');
    this.#world = world;
    this.#cluster = { client: world.network.client, connection };
    this.#merchant = merchant;
    this.#orders = orders;
  }

  /** Prepares what strangers do in the round. Their payments fall due with those of customers. */
  async before(round: number): Promise<void> {
    this.#acts = [];
    this.#topUps = [];
    for (const { habit, count } of this.#orders.filter((order) => order.round === round)) {
      await this.#prepare[habit](count);
      this.#world.tally.add(habit, count);
    }
  }

  /** Sends requests while payments are collected. Their answers do not matter. */
  async meanwhile(): Promise<void> {
    await Promise.all(this.#acts.map((act) => act().catch(() => undefined)));
  }

  async rescue(): Promise<void> {
    for (const topUp of this.#topUps) await topUp();
  }

  readonly #prepare: Readonly<Record<StrangerHabit, (count: number) => Promise<unknown>>> = {
    'large delegates': async (count) => {
      const delegates: Address[] = [];
      for (let index = 0; index < count; index++) delegates.push(await this.#largeAccount());
      await this.#seed({ count, delegates });
    },
    'large wallets': async (count) => {
      const userWallet = await this.#largeAccount();
      this.#add(count, (session) => this.#post(`/api/checkout/${session}/transaction`, { userWallet }));
    },
    'large transactions': async (count) => {
      const userWallet = createAddress();
      const plan = this.#merchant.plans.get('daily') as Address;
      const subscriptionPda = await subscriptionAddress(plan, userWallet);
      const signature = await landInnerCalls(this.#cluster, subscriptionPda);
      const presented = { subscriptionPda, userWallet, signature };
      this.#add(count, (session) => this.#post(`/api/checkout/${session}/complete`, presented));
    },
    'large amounts': async (count) => {
      const mint = await createWorthlessMint(this.#cluster.client);
      await this.#seed({ count, mint, balance: MAX_U64, delegates: Array(count).fill(null) });
      const { customers } = await this.#seed({ count, mint, balance: 0n });
      for (const { wallet } of customers) {
        const balance = { amount: String(MAX_U64) };
        this.#topUps.push(() =>
          this.#cluster.client.call('surfnet_setTokenAccount', [wallet, mint, balance]),
        );
      }
      await pullLargeAmount(this.#cluster, mint, this.#nowSeconds());
    },
    introspection: async (count) => {
      const key = await createKey(this.#world, (await this.#seed({ count: 0 })).merchantId);
      const headers = { authorization: `Bearer ${key}` };
      this.#acts.push(async () => {
        for (let index = 0; index < count; index++) {
          await this.#post('/graphql', { query: `${getIntrospectionQuery()}\n# ${index}` }, headers);
        }
      });
    },
  };

  #largeAccount(): Promise<Address> {
    return createLargeAccount(this.#cluster.client, ENDLESS_OWNER);
  }

  /** Adds requests that name a new checkout of the honest merchant. */
  #add(count: number, request: (session: string) => Promise<unknown>): void {
    const { tally } = this.#world;
    this.#acts.push(async () => {
      const open = () => this.#merchant.backend.openCheckout('daily', 'stranger@example.com');
      const session = await repeatUntilDone(tally, open, {});
      if (session === undefined) return;
      await Promise.all(Array.from({ length: count }, () => request(session)));
    });
  }

  async #post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const response = await fetch(`${this.#world.apiUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    await response.arrayBuffer();
  }

  /** Creates payers of a token of strangers, whose payments are due half a day from now. */
  async #seed(settings: {
    readonly count: number;
    readonly mint?: Address;
    readonly balance?: bigint;
    readonly delegates?: readonly (Address | null)[];
  }): Promise<SeededMerchant> {
    const { client } = this.#cluster;
    const mint = settings.mint ?? (await createWorthlessMint(client));
    const startedAt = this.#nowSeconds() + DAY_SECONDS / 2;
    return seedSubscriptions(
      { client, db: this.#world.db, collector: this.#world.collector },
      { ...settings, mint, startedAt, periodHours: 24 },
    );
  }

  #nowSeconds(): number {
    return Math.floor(this.#world.network.nowMs() / 1_000);
  }
}
