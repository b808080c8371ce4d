import { Command, Option } from 'commander';
import { createApp } from '../../src/app.ts';
import { configFromEnv } from '../../src/config.ts';
import { assertMigrated } from '../../src/database/migrations.ts';
import { createApiKey } from '../../src/domain/merchant/create-api-key.ts';
import { createMerchant } from '../../src/domain/merchant/create-merchant.ts';
import type { Environment } from '../../src/generated/prisma/client.ts';
import { orExplain } from '../expected-failure.ts';

interface Flags {
  readonly environment: Environment;
  readonly wallet: string;
  readonly company: string;
  readonly name: string;
}

/** `dues keys create`: an API key for the merchant of a wallet, who is made where there is none yet. */
export function keysCommand(): Command {
  const create = new Command('create')
    .description('make an API key; it is printed once and never again')
    .addOption(
      new Option('--environment <name>', 'which environment it opens')
        .choices(['TEST', 'LIVE'])
        .default('TEST'),
    )
    .requiredOption('--wallet <address>', "the merchant's wallet")
    .option('--company <name>', "the merchant's name, for a new merchant", 'Unnamed merchant')
    .option('--name <name>', 'what the key is for', 'command line')
    .action((flags: Flags) => orExplain('keys create', createKey(flags)));
  return new Command('keys').description('API keys').addCommand(create);
}

async function createKey({ environment, wallet, company, name }: Flags): Promise<void> {
  await using closing = new AsyncDisposableStack();
  const app = await createApp(configFromEnv(process.env));
  closing.defer(() => app.close());
  const { ctx } = app;
  await assertMigrated(ctx.db);
  const known = await ctx.db.merchant.findUnique({ where: { walletAddress: wallet } });
  const merchant = known ?? (await createMerchant(ctx, { companyName: company, walletAddress: wallet }));
  const { apiKey } = await createApiKey(ctx, { merchantId: merchant.id, environment }, { name });
  console.log(apiKey);
}
