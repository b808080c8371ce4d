/** The world of the domain tests with a Yellowstone server, continuous blocks, and indexers. */

import { type Address, address, type KeyPairSigner, type Signature } from '@solana/kit';
import { pino } from 'pino';
import { expect, onTestFinished, vi } from 'vitest';
import { type RunningIndexer, startIndexer } from '../../indexer/main.ts';
import type { Timings } from '../../indexer/timings.ts';
import type { StreamFaultSettings } from '../../localnet/faults.ts';
import type { AppContext } from '../../src/app.ts';
import { subscriptionAddress, tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { type CreatePlanInput, createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import type { Plan, Subscription } from '../../src/generated/prisma/client.ts';
import type { Logger } from '../../src/observability/log.ts';
import { type PulledPlan, pullInstruction } from '../../tools/world/pull-instruction.ts';
import { tellLogged } from '../../tools/world/story.ts';
import { DAY, PRICE, startWorld, type TestMerchant } from '../domain/world.ts';
import { SOON } from '../support/soon.ts';

const BLOCK_MS = 25;

export type IndexerWorld = Awaited<ReturnType<typeof startIndexerWorld>>;
export type Mode = 'stream' | 'polling';

/** Short timers, except those that would repair the tested fault. */
export const TIMING: Timings = {
  blockTimeoutMs: 2_000,
  maxBackoffMs: 300,
  housekeepingMs: 50,
  topUpsMs: 50,
  retryUnappliedMs: 200,
  repairMs: 10 * 60_000,
  pollMs: 100,
  leaderCheckMs: 100,
  lastWorkMs: 60_000,
};

export async function startIndexerWorld(mode: Mode = 'stream') {
  const world = await startWorld();
  onTestFinished(() => world.close());
  const { network, db } = world;
  const blocks = setInterval(() => network.tick(), BLOCK_MS);
  onTestFinished(() => clearInterval(blocks));
  const yellowstoneUrl = mode === 'stream' ? world.geyserUrl : undefined;
  const chain = { ...world.chain, config: { ...world.chain.config, yellowstoneUrl } };
  const logged: string[] = [];
  const ctx: AppContext = { ...world.ctx, chain: { TEST: chain }, log: logInto(logged) };
  const merchant = await world.newMerchant();

  async function startIndexing(timing: Partial<Timings> = {}): Promise<RunningIndexer> {
    const indexer = await startIndexer(ctx, ['TEST'], { ...TIMING, ...timing });
    onTestFinished(() => indexer.close());
    return indexer;
  }

  /** Puts a plan on chain, which the indexer must find. */
  async function publish(input: Partial<CreatePlanInput> = {}): Promise<Plan> {
    const terms = { planId: 'pro', name: 'Pro', amount: PRICE, intervalSeconds: DAY, ...input };
    const { plan, transaction } = await createPlan(ctx, merchant.scope, terms);
    await world.sign(merchant.wallet, transaction);
    return plan;
  }

  async function waitForPlan(plan: Plan, status: Plan['status']): Promise<Plan> {
    return vi.waitFor(async () => {
      const current = await db.plan.findUniqueOrThrow({ where: { id: plan.id } });
      expect(current.status).toBe(status);
      return current;
    }, SOON);
  }

  /** Publishes a plan, and waits until the running indexer has made it active. */
  async function publishActivePlan(input: Partial<CreatePlanInput> = {}): Promise<Plan> {
    return waitForPlan(await publish(input), 'ACTIVE');
  }

  /** Subscribes a customer whose app stops before it completes the checkout. */
  async function subscribeWithoutCompleting(plan: Plan, wallet?: KeyPairSigner): Promise<KeyPairSigner> {
    const customer = wallet ?? (await world.newWallet());
    const sessionId = await world.openSession(merchant, plan, {
      customerEmail: `${customer.address}@example.com`,
    });
    await world.approve(sessionId, plan, customer);
    return customer;
  }

  async function waitForSubscription(
    plan: Plan,
    wallet: KeyPairSigner,
    status: Subscription['status'],
  ): Promise<Subscription> {
    const pda = await subscriptionAddress(address(plan.address), wallet.address);
    return vi.waitFor(async () => {
      const [newest] = await db.subscription.findMany({
        where: { address: pda },
        orderBy: { chainCreatedAt: 'desc' },
      });
      expect(newest?.status).toBe(status);
      return newest as Subscription;
    }, SOON);
  }

  /** Pulls as the owner of a plan, who need not be a merchant of dues. */
  const pullByOwner = async (
    owner: KeyPairSigner,
    plan: PulledPlan,
    wallet: KeyPairSigner,
    amount: bigint,
  ): Promise<Signature> => world.act(owner, await pullInstruction(owner, plan, wallet.address, amount));

  /** Waits until the indexer has applied everything that is confirmed now. */
  async function waitUntilCaughtUp(): Promise<void> {
    network.tick();
    const slot = BigInt(network.slot('confirmed'));
    await vi.waitFor(async () => {
      const position = await db.streamPosition.findUnique({ where: { environment: 'TEST' } });
      expect(Number(position?.slot ?? 0n)).toBeGreaterThanOrEqual(Number(slot));
    }, SOON);
  }

  return {
    ...world,
    ctx,
    merchant: merchant as TestMerchant,
    startIndexing,
    publish,
    waitForPlan,
    publishActivePlan,
    subscribeWithoutCompleting,
    waitForSubscription,
    /** Pulls as the merchant, which owns the plan. */
    pullByMerchant: (plan: Plan, wallet: KeyPairSigner, amount = plan.amount) =>
      pullByOwner(merchant.wallet, plan, wallet, amount),
    pullByOwner,
    waitUntilCaughtUp,
    tokenAccountOf: (wallet: KeyPairSigner, plan: Plan): Promise<Address> =>
      tokenAccountAddress(wallet.address, address(plan.mint), address(plan.tokenProgram)),
    setStreamFault: (streams: StreamFaultSettings) => network.faults.set({ streams }),
    /** Waits until the condition holds. */
    eventually: <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, SOON),
    /** The lines logged at `info` or above. */
    messages: () => logged.map((line) => (JSON.parse(line) as { msg: string }).msg),
  };
}

// pino's error serializer fails on errors of kit, which are frozen.
function logInto(lines: string[]): Logger {
  const err = ({ message, stack }: Error) => ({ message, stack });
  return pino(
    { level: 'info', serializers: { err } },
    {
      write(line) {
        lines.push(line);
        tellLogged(line);
      },
    },
  );
}
