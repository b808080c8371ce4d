import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import type { AppContext } from '../src/app.ts';
import { authenticateApiKey } from '../src/domain/accounts/api-key/authenticate-api-key.ts';
import { createApiKey } from '../src/domain/accounts/api-key/create-api-key.ts';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { createPlan } from '../src/domain/catalog/plan/create-plan.ts';
import { publishTransaction } from '../src/domain/catalog/plan/publish-transaction.ts';
import type { Scope } from '../src/domain/kernel/access/scope.ts';
import { switchedTemplates } from '../src/domain/messages/mail/mail-settings.ts';
import { updateMailSettings } from '../src/domain/messages/mail/update-mail-settings.ts';
import { airdropLamports } from './airdrop.ts';
import type { Development } from './development.ts';
import { signAndSend } from './sign-and-send.ts';

const COMPANY = 'Acme Streaming';
const PLAN = {
  planId: 'pro-monthly',
  name: 'Pro, monthly',
  amount: 9_990_000n,
  intervalSeconds: 30 * 86_400,
};
const PUBLISHED_WITHIN_MS = 30_000;

export interface DemoMerchant {
  readonly scope: Scope;
  readonly apiKey: string;
  readonly planId: string;
  /** The terms as text. */
  readonly terms: string;
}

/** Creates or finds a merchant with a published plan and a test key. Needs a running indexer. */
export async function ensureDemoMerchant(
  ctx: AppContext,
  { merchantWallet, localnet }: Development,
  keyFile: string,
): Promise<DemoMerchant> {
  const walletAddress = merchantWallet.address;
  const merchant =
    (await ctx.db.merchant.findUnique({ where: { walletAddress } })) ??
    (await createMerchant(ctx, { companyName: COMPANY, walletAddress })).merchant;
  const scope: Scope = { merchantId: merchant.id, environment: 'TEST' };
  await ensureMails(ctx, scope);
  await airdropLamports(localnet.network, walletAddress);
  const plan =
    (await ctx.db.plan.findFirst({ where: { ...scope, planId: PLAN.planId } })) ??
    (await createPlan(ctx, scope, PLAN)).plan;
  if (plan.status === 'DRAFT') {
    const { transaction } = await publishTransaction(ctx, scope, PLAN.planId);
    const chain = ctx.chain.TEST;
    if (!chain) throw new Error('the test environment is not configured');
    await signAndSend(chain, merchantWallet, transaction);
    await pollUntil(async () => {
      const { status } = await ctx.db.plan.findUniqueOrThrow({ where: { id: plan.id } });
      return status === 'ACTIVE';
    });
  }
  const terms = `${Number(PLAN.amount) / 1e6} USDC every ${PLAN.intervalSeconds / 86_400} days to ${COMPANY}`;
  return { scope, apiKey: await readOrCreateApiKey(ctx, scope, keyFile), planId: PLAN.planId, terms };
}

/** Switches on all mails, so that they can be viewed, unless the merchant has mail settings. */
async function ensureMails(ctx: AppContext, scope: Scope): Promise<void> {
  if ((await ctx.db.mailSettings.count({ where: scope })) > 0) return;
  await updateMailSettings(ctx, scope, {
    templates: switchedTemplates,
    merchantEmail: 'merchant@example.com',
  });
}

/**
 * The key in the file, or a new one. A key can be shown only when it is created, so this one, for a
 * local network, is kept in a file.
 */
async function readOrCreateApiKey(ctx: AppContext, scope: Scope, file: string): Promise<string> {
  const kept = await readFile(file, 'utf8').catch(() => null);
  if (kept && (await authenticateApiKey(ctx, kept).catch(() => null))) return kept;
  const { apiKey } = await createApiKey(ctx, scope, { name: 'npm start' });
  await writeFile(file, apiKey, { mode: 0o600 });
  return apiKey;
}

async function pollUntil(condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PUBLISHED_WITHIN_MS;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error('the demo plan was not seen on chain');
    await wait(100);
  }
}
