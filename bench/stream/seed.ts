import type { Address } from '@solana/kit';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { TOKEN_PROGRAM } from '../../localnet/token.ts';
import { inChunks } from '../../src/async/in-chunks.ts';
import { NO_ADDRESS } from '../../src/chain/accounts/addresses.ts';
import { asRows } from '../../src/db/bulk.ts';
import type { Db } from '../../src/db/db.ts';
import type { Scope } from '../../src/domain/kernel/access/scope.ts';
import { seedCustomer, seedPlan } from '../../tools/world/rows.ts';
import type { SeededSubscription } from './network.ts';

const ROWS_PER_STATEMENT = 10_000;

/** Inserts subscriptions to one plan: active, paid, and due in a year. */
export async function seedRows(
  db: Db,
  scope: Scope,
  seed: {
    readonly plan: Address;
    readonly amount: bigint;
    readonly startedAt: bigint;
    readonly subscriptions: readonly SeededSubscription[];
  },
): Promise<void> {
  const { id: planId } = await seedPlan(db, scope, {
    amount: seed.amount,
    mint: USDC_MINT,
    tokenProgram: TOKEN_PROGRAM,
    address: seed.plan,
    status: 'ACTIVE',
    chainCreatedAt: seed.startedAt,
  });
  const customer = await seedCustomer(db, scope, { walletAddress: NO_ADDRESS });
  const startedAt = new Date(Number(seed.startedAt) * 1_000);
  const nextAt = new Date(startedAt.getTime() + 365 * 86_400_000);
  for (const rows of inChunks(seed.subscriptions, ROWS_PER_STATEMENT)) {
    await db.$executeRaw`
      INSERT INTO "Subscription" ("id", "merchantId", "environment", "planId", "customerId", "address", "chainCreatedAt",
        "walletAddress", "tokenAccount", "authority", "startedAt", "nextPaymentAt", "nextAttemptAt")
      SELECT gen_random_uuid(), ${scope.merchantId}::uuid, 'TEST', ${planId}::uuid, ${customer.id}::uuid, r."address",
        ${seed.startedAt}, r."wallet", r."wallet", r."authority",
        ${startedAt}::timestamptz, ${nextAt}::timestamptz,
        ${nextAt}::timestamptz
      FROM jsonb_to_recordset(${asRows(rows)}::jsonb) AS r("address" text, "wallet" text,
        "authority" text)`;
  }
}
