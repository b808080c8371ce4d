/** A merchant's plan, a subscriber, their tokens, and every instruction between them. */
import type { Address, Instruction, KeyPairSigner, TransactionSigner } from '@solana/kit';
import {
  findPlanPda,
  findSubscriptionAuthorityPda,
  findSubscriptionDelegationPda,
  getCancelSubscriptionInstructionAsync,
  getCloseSubscriptionAuthorityOverlayInstructionAsync,
  getCreatePlanInstruction,
  getDeletePlanOverlayInstruction,
  getInitSubscriptionAuthorityOverlayInstructionAsync,
  getPlanDecoder,
  getRevokeSubscriptionOverlayInstruction,
  getSubscribeOverlayInstructionAsync,
  getSubscriptionAuthorityDecoder,
  getSubscriptionDelegationDecoder,
  getTransferSubscriptionInstruction,
  type Plan,
} from '@solana/subscriptions';
import {
  cancelSubscriptionNowInstruction,
  EVENT_AUTHORITY,
  type PlanState,
  resumeSubscriptionInstruction,
  revokeSubscriptionAuthorityInstruction,
  seenPlan,
  type UpdatePlanInput,
  updatePlanInstruction,
} from './instructions.ts';
import { createMint, type Mint, openTokenAccount, type TokenKind } from './tokens.ts';
import { createWorld, person, START, type World } from './world.ts';

export const HOUR = 3600n;
export const NOBODY = '11111111111111111111111111111111' as Address;

/** Two hours per period, so that hours and periods cannot be confused. */
export const PERIOD_HOURS = 2n;
export const PERIOD = PERIOD_HOURS * HOUR;
export const PRICE = 1_000n;
export const START_BALANCE = 1_000_000n;

export type PlanTerms = {
  planId: bigint;
  amount: bigint;
  periodHours: bigint;
  endTs: bigint;
  destinations: Address[];
  pullers: Address[];
  metadataUri: string;
};

export type ScenarioOptions = {
  kind?: TokenKind;
  world?: World;
  mint?: Mint;
  subscriber?: string;
  terms?: Partial<PlanTerms>;
};

export type PullOptions = { amount?: bigint; caller?: TransactionSigner; to?: Address; from?: Address };

/** Pads a list of addresses of a plan to four entries. */
export function padAddresses(addresses: Address[]): Address[] {
  return [...addresses, NOBODY, NOBODY, NOBODY, NOBODY].slice(0, 4);
}

export type Scenario = Awaited<ReturnType<typeof createScenario>>;

/**
 * Creates the wallets, the mint and the token accounts. The program is not called before `open`.
 */
export async function createScenario(options: ScenarioOptions = {}) {
  const world = options.world ?? (await createWorld());
  const [merchant, puller] = await Promise.all([person('merchant'), person('puller')]);
  const subscriber = await person(options.subscriber ?? 'subscriber');
  const mint = options.mint ?? (await createMint(world, options.kind));
  for (const { address } of [merchant, subscriber]) world.fund(address);
  const subscriberTokens = await openTokenAccount(world, subscriber.address, mint, START_BALANCE);
  const merchantTokens = await openTokenAccount(world, merchant.address, mint);

  const terms: PlanTerms = {
    planId: 7n,
    amount: PRICE,
    periodHours: PERIOD_HOURS,
    endTs: 0n,
    destinations: [merchant.address],
    pullers: [puller.address],
    metadataUri: 'https://merchant.example/plan.json',
    ...options.terms,
  };
  const [plan, planBump] = await findPlanPda({ owner: merchant.address, planId: terms.planId });
  const [authority, authorityBump] = await findSubscriptionAuthorityPda({
    user: subscriber.address,
    tokenMint: mint.address,
  });
  const [subscription, subscriptionBump] = await findSubscriptionDelegationPda({
    planPda: plan,
    subscriber: subscriber.address,
  });
  const addresses = { plan, planBump, authority, authorityBump, subscription, subscriptionBump };

  const readPlan = (): Plan => getPlanDecoder().decode(world.data(plan));
  const readAuthority = () => getSubscriptionAuthorityDecoder().decode(world.data(authority));
  const readSubscription = () => getSubscriptionDelegationDecoder().decode(world.data(subscription));

  const initAuthority = (payer?: KeyPairSigner): Promise<Instruction> =>
    getInitSubscriptionAuthorityOverlayInstructionAsync({
      owner: subscriber,
      tokenMint: mint.address,
      tokenProgram: mint.tokenProgram,
      userAta: subscriberTokens,
      ...(payer && { payer }),
    });

  const closeAuthority = (receiver?: Address): Promise<Instruction> =>
    getCloseSubscriptionAuthorityOverlayInstructionAsync({
      user: subscriber,
      tokenMint: mint.address,
      ...(receiver && { receiver }),
    });

  const revokeAuthority = (receiver?: Address): Instruction =>
    revokeSubscriptionAuthorityInstruction({
      user: subscriber,
      tokenAccount: subscriberTokens,
      mint: mint.address,
      tokenProgram: mint.tokenProgram,
      authority,
      ...(receiver && { receiver }),
    });

  // The client's wrapper is not used, because it refuses terms that the program must refuse here.
  const createPlan = (changes: Partial<PlanTerms> = {}): Instruction => {
    const { planId, amount, periodHours, endTs, destinations, pullers, metadataUri } = {
      ...terms,
      ...changes,
    };
    return getCreatePlanInstruction({
      merchant,
      planPda: plan,
      tokenMint: mint.address,
      tokenProgram: mint.tokenProgram,
      planData: {
        planId,
        mint: mint.address,
        // The program replaces the time of creation with the time of its own clock.
        terms: { amount, periodHours, createdAt: 12_345n },
        endTs,
        destinations: padAddresses(destinations),
        pullers: padAddresses(pullers),
        metadataUri,
      },
    });
  };

  /**
   * Changes the given fields and keeps the others. `seen` contains the values that the owner
   * expects.
   */
  const updatePlan = (
    changes: Partial<
      PlanState & { status: number; owner: TransactionSigner; seen: Partial<UpdatePlanInput['seen']> }
    >,
  ): Instruction => {
    const current = seenPlan(readPlan());
    const { status = readPlan().status, owner = merchant, seen, pullers, ...next } = changes;
    return updatePlanInstruction({
      owner,
      plan,
      status,
      next: { ...current, ...next, pullers: pullers ? padAddresses(pullers) : current.pullers },
      seen: { ...current, ...seen },
    });
  };

  const deletePlan = (owner: TransactionSigner = merchant) =>
    getDeletePlanOverlayInstruction({ owner, planPda: plan });

  const subscribe = (
    changes: { initId?: bigint; amount?: bigint; createdAt?: bigint; payer?: KeyPairSigner } = {},
  ): Promise<Instruction> =>
    getSubscribeOverlayInstructionAsync({
      subscriber,
      merchant: merchant.address,
      planId: terms.planId,
      tokenMint: mint.address,
      expectedAmount: changes.amount ?? terms.amount,
      expectedPeriodHours: terms.periodHours,
      expectedCreatedAt: changes.createdAt ?? START,
      expectedSubscriptionAuthorityInitId: changes.initId ?? readAuthority().initId,
      ...(changes.payer && { payer: changes.payer }),
    });

  const pull = ({
    amount = terms.amount,
    caller = puller,
    to = merchantTokens,
    from,
  }: PullOptions = {}): Instruction =>
    getTransferSubscriptionInstruction({
      subscriptionPda: subscription,
      planPda: plan,
      subscriptionAuthority: authority,
      delegatorAta: from ?? subscriberTokens,
      receiverAta: to,
      caller,
      tokenMint: mint.address,
      tokenProgram: mint.tokenProgram,
      eventAuthority: EVENT_AUTHORITY,
      transferData: { amount, delegator: subscriber.address, mint: mint.address },
    });

  const cancel = (signer: TransactionSigner = subscriber): Promise<Instruction> =>
    getCancelSubscriptionInstructionAsync({
      subscriber: signer,
      planPda: plan,
      subscriptionPda: subscription,
    });

  const cancelNow = (
    seenPeriodStart = readSubscription().currentPeriodStartTs,
    parties: { subscriber?: TransactionSigner; merchant?: TransactionSigner } = {},
  ): Instruction =>
    cancelSubscriptionNowInstruction({
      subscriber,
      merchant,
      ...parties,
      plan,
      subscription,
      seenPeriodStart,
    });

  const resume = (
    seenExpiresAt = readSubscription().expiresAtTs,
    changes: { subscriber?: TransactionSigner; authority?: Address } = {},
  ): Instruction =>
    resumeSubscriptionInstruction({ subscriber, authority, ...changes, plan, subscription, seenExpiresAt });

  const revoke = (actor: TransactionSigner = subscriber, receiver?: Address): Instruction =>
    getRevokeSubscriptionOverlayInstruction({
      authority: actor,
      planPda: plan,
      subscriptionPda: subscription,
      ...(receiver && { receiver }),
    });

  /**
   * Publishes the plan, creates the authority and subscribes, so that the first period can be
   * pulled.
   */
  async function open(): Promise<void> {
    if (!world.exists(plan)) await world.land([createPlan()]);
    if (!world.exists(authority)) await world.land([await initAuthority()]);
    await world.land([await subscribe()]);
  }

  const people = { merchant, puller, subscriber };
  const tokens = { mint, subscriberTokens, merchantTokens };
  const reads = { readPlan, readAuthority, readSubscription };
  const calls = {
    initAuthority,
    closeAuthority,
    revokeAuthority,
    createPlan,
    updatePlan,
    deletePlan,
    subscribe,
    pull,
    cancel,
    cancelNow,
    resume,
    revoke,
  };
  return { world, terms, ...people, ...tokens, ...addresses, ...reads, ...calls, open };
}

/** A scenario after `open`. */
export async function openScenario(options: ScenarioOptions = {}): Promise<Scenario> {
  const scenario = await createScenario(options);
  await scenario.open();
  return scenario;
}
