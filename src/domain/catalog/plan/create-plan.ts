import { randomBytes } from 'node:crypto';
import { type Address, address } from '@solana/kit';
import { v7 as uuidv7 } from 'uuid';
import type { AppContext } from '../../../app.ts';
import { planAddress } from '../../../chain/accounts/addresses.ts';
import { createPlanTransaction } from '../../../chain/transactions/plan-transactions.ts';
import { isUniqueViolation } from '../../../db/is-unique-violation.ts';
import { invalidRequest } from '../../../errors.ts';
import type { Plan, RetryPolicy } from '../../../generated/prisma/client.ts';
import { chainOf } from '../../kernel/access/chain-of.ts';
import type { ActingScope } from '../../kernel/audit-log/actor.ts';
import { newFields } from '../../kernel/audit-log/changed-fields.ts';
import { recordAudit } from '../../kernel/audit-log/record-audit.ts';
import { validAddress } from '../../kernel/input/valid-text.ts';
import { type Feature, featureRows, featuresText, validFeatures } from './features.ts';
import { validGrace } from './grace.ts';
import { type PlanTerms, validPlanTerms } from './plan-terms.ts';
import { planMetadataUri } from './public-plan.ts';
import { requireAsset } from './require-asset.ts';
import { validRetryPolicy } from './retry-policy.ts';

export interface CreatePlanInput extends PlanTerms {
  /** Mint of the payment token; default: the default mint of the environment. */
  readonly mint?: string | undefined;
  /** Default none. */
  readonly features?: readonly Feature[] | undefined;
  /** Seconds of grace after a failed payment; default the setting of the environment. */
  readonly graceSeconds?: number | undefined;
  /** How failed payments are retried; default QUICK: as the settings of the environment say. */
  readonly retryPolicy?: RetryPolicy | undefined;
}

/** A plan and the transaction that its merchant's wallet must sign. */
export interface PlanToPublish {
  readonly plan: Plan;
  /**
   * Unsigned, in base64; the merchant's wallet must sign and send it before its blockhash expires.
   */
  readonly transaction: string;
}

/**
 * Creates a draft. It becomes active when its account is seen on chain (`observePlan`).
 *
 * @throws BillingError invalid_request, param `planId`, `name`, `description`, `imageUrl`,
 *   `amount`, `maxAmount`, `interval`, `trialPeriodSeconds`, `mint`, `maxPausedPeriods`,
 *   `collectWithinSeconds`, `features`, `graceSeconds` or `retryPolicy`
 */
export async function createPlan(
  ctx: AppContext,
  scope: ActingScope,
  input: CreatePlanInput,
): Promise<PlanToPublish> {
  const terms = validPlanTerms(input);
  const features = validFeatures(input.features ?? []);
  const graceSeconds = input.graceSeconds === undefined ? null : validGrace(input.graceSeconds);
  const retryPolicy = validRetryPolicy(input.retryPolicy ?? 'QUICK', terms);
  const { merchantId, environment } = scope;
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
    graceSeconds,
    retryPolicy,
    maxCollectWithinSeconds: terms.collectWithinSeconds,
    createdAt: ctx.clock.now(),
  };
  // Created before the draft is stored, so that no draft remains if the cluster does not respond.
  const transaction = await createPublishTransaction(ctx, draft, owner);
  try {
    const plan = await ctx.db.$transaction(async (tx) => {
      const changes = newFields({
        ...terms,
        mint,
        graceSeconds,
        retryPolicy,
        features: featuresText(features),
      });
      await recordAudit(ctx, tx, scope, { action: 'plan.created', targetId: terms.planId, changes });
      return tx.plan.create({ data: { ...draft, features: { create: featureRows(features) } } });
    });
    return { plan, transaction };
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('planId', `A plan with the id ${terms.planId} already exists.`);
  }
}

/** Creates the transaction that publishes a draft, with a new blockhash. */
export function createPublishTransaction(
  ctx: AppContext,
  plan: Pick<
    Plan,
    'id' | 'environment' | 'chainPlanId' | 'mint' | 'tokenProgram' | 'maxAmount' | 'periodSeconds'
  >,
  owner: Address,
): Promise<string> {
  return createPlanTransaction(chainOf(ctx, plan.environment), {
    owner,
    chainPlanId: plan.chainPlanId,
    mint: address(plan.mint),
    tokenProgram: address(plan.tokenProgram),
    amount: plan.maxAmount,
    periodSeconds: plan.periodSeconds,
    endsAt: null,
    metadataUri: planMetadataUri(ctx.config, plan.id),
  });
}

/**
 * Returns an id from 1 to 2^63 - 1. It is a u64 on chain, but the database stores no larger value.
 */
function randomChainPlanId(): bigint {
  const id = randomBytes(8).readBigUInt64LE() >> 1n;
  return id === 0n ? 1n : id;
}
