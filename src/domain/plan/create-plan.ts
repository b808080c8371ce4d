import { randomBytes } from 'node:crypto';
import { type Address, address } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../app.ts';
import { planAddress } from '../../chain/addresses.ts';
import { createPlanTransaction } from '../../chain/plan-transactions.ts';
import { invalidRequest } from '../../errors.ts';
import type { Plan } from '../../generated/prisma/client.ts';
import type { ActingScope } from '../audit/actor.ts';
import { newFields } from '../audit/changed-fields.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { chainOf } from '../merchant/chain-of.ts';
import { isUniqueViolation } from '../merchant/is-unique-violation.ts';
import { validAddress } from '../merchant/valid-text.ts';
import { type PlanTerms, validPlanTerms } from './plan-terms.ts';
import { planMetadataUri } from './public-plan.ts';
import { requireAsset } from './supported-asset.ts';

export interface CreatePlanInput extends PlanTerms {
  /** The asset that it is paid in; default: the environment's. */
  readonly mint?: string | undefined;
}

/** A plan that its merchant's wallet can publish. */
export interface PlanToPublish {
  readonly plan: Plan;
  /** Unsigned, in base64; to be signed and sent by the merchant's wallet before its blockhash dies. */
  readonly transaction: string;
}

/**
 * Stores a draft. It turns active when its account is seen on chain (`observePlan`).
 *
 * @throws BillingError invalid_request, param `planId`, `name`, `description`, `amount`, `interval`, `trialPeriodSeconds` or `mint`
 */
export async function createPlan(
  ctx: AppContext,
  by: ActingScope,
  input: CreatePlanInput,
): Promise<PlanToPublish> {
  const terms = validPlanTerms(input);
  const { merchantId, environment } = by;
  const chain = chainOf(ctx, environment);
  const mint = input.mint === undefined ? chain.config.defaultMint : validAddress('mint', input.mint);
  const merchant = await ctx.db.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const owner = address(merchant.walletAddress);
  const tokenProgram = await requireAsset(chain, mint, owner);
  const chainPlanId = randomChainPlanId();
  const draft = {
    ...terms,
    id: uuidv7(),
    merchantId,
    environment,
    mint,
    tokenProgram,
    chainPlanId,
    address: await planAddress(owner, chainPlanId),
    createdAt: ctx.clock.now(),
  };
  // Before it is stored: where the cluster does not answer, there is nothing to clean up.
  const transaction = await publishingTransaction(ctx, draft, owner);
  try {
    const plan = await ctx.db.$transaction(async (tx) => {
      const changes = newFields({ ...terms, mint });
      await recordAudit(ctx, tx, by, { action: 'plan.created', targetId: terms.planId, changes });
      return tx.plan.create({ data: draft });
    });
    return { plan, transaction };
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('planId', `There is a plan ${terms.planId} already.`);
  }
}

/** The transaction that publishes a draft, with a blockhash of now. */
export function publishingTransaction(
  ctx: AppContext,
  plan: Pick<
    Plan,
    'id' | 'environment' | 'chainPlanId' | 'mint' | 'tokenProgram' | 'amount' | 'intervalSeconds'
  >,
  owner: Address,
): Promise<string> {
  return createPlanTransaction(chainOf(ctx, plan.environment), {
    owner,
    chainPlanId: plan.chainPlanId,
    mint: address(plan.mint),
    tokenProgram: address(plan.tokenProgram),
    amount: plan.amount,
    intervalSeconds: plan.intervalSeconds,
    endsAt: null,
    metadataUri: planMetadataUri(ctx.config, plan.id),
  });
}

/** 1 to 2^63 - 1: a u64 on chain, and the database's largest whole number. */
function randomChainPlanId(): bigint {
  const id = randomBytes(8).readBigUInt64LE() >> 1n;
  return id === 0n ? 1n : id;
}
