import { Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../../src/clock.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { keyConfigFromEnv } from '../../src/config/part-from-env.ts';
import { connectDb } from '../../src/db/db.ts';
import { createApiKey } from '../../src/domain/accounts/api-key/create-api-key.ts';
import { createMerchant } from '../../src/domain/accounts/merchant/create-merchant.ts';
import { ALL_SCOPES } from '../../src/domain/kernel/access/caller.ts';
import type { ApiKeyScope, Environment } from '../../src/generated/prisma/client.ts';
import { assertDatabaseReachable } from '../../src/postgres/assert-database-reachable.ts';
import { assertMigrated } from '../../src/postgres/migrations.ts';
import { parseEnvironment, parseSolanaAddress, parseTime } from '../arguments.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { readConfig } from '../read-config.ts';

interface Flags {
  readonly environment: Environment;
  readonly wallet: string;
  readonly company?: string;
  readonly name: string;
  readonly scopes?: ApiKeyScope[];
  readonly expires?: Date;
}

/**
 * `dues keys create`: creates an API key for the merchant of a wallet, and the merchant if it does
 * not exist.
 */
export function keysCommand(): Command {
  const create = new Command('create')
    .description('create an API key; it is printed only once')
    .addOption(
      new Option('--environment <name>', 'environment of the key')
        .argParser(parseEnvironment)
        .default('TEST'),
    )
    .requiredOption('--wallet <address>', "the merchant's wallet", parseSolanaAddress)
    .option('--company <name>', "the merchant's name, for a new merchant (default: Unnamed merchant)")
    .option('--name <name>', 'name of the key', 'command line')
    .option(
      '--scopes <list>',
      'scopes separated by commas: read, write, checkout (default: all)',
      parseScopes,
    )
    .option('--expires <time>', 'when the key expires, ISO 8601 (default: never)', parseTime)
    .action((flags: Flags) => exitOnFailure('keys create', createKey(flags)));
  return new Command('keys').addCommand(create);
}

async function createKey({ environment, wallet, company, name, scopes, expires }: Flags): Promise<void> {
  const { environments, ...config } = readConfig(keyConfigFromEnv);
  if (environments.length > 0 && !environments.includes(environment)) {
    throw new ConfigError(
      `this configuration has no ${environment} environment, so the key could not be used: ` +
        `set ${environment}_RPC_URL and ${environment}_COLLECTOR_KEY, or choose another --environment`,
    );
  }
  await assertDatabaseReachable(config.databaseUrl);
  await using closing = new AsyncDisposableStack();
  // The command needs neither a cluster nor Redis.
  const ctx = { config, db: connectDb(config.databaseUrl), clock: systemClock, wallClock: systemClock };
  closing.defer(() => ctx.db.$disconnect());
  await assertMigrated(ctx.db);
  const known = await ctx.db.merchant.findUnique({ where: { walletAddress: wallet } });
  const merchant =
    known ??
    (await createMerchant(ctx, { companyName: company ?? 'Unnamed merchant', walletAddress: wallet }))
      .merchant;
  const key = { name, scopes, expiresAt: expires };
  const { apiKey } = await createApiKey(ctx, { merchantId: merchant.id, environment }, key);
  // On stderr, because stdout gets only the key.
  console.error(
    `A key for the ${environment} environment of ${known ? '' : 'a new merchant, '}${merchant.companyName} (${wallet}):`,
  );
  if (known && company !== undefined && company !== known.companyName) {
    console.error('The merchant keeps its name: change it in the dashboard, or with updateMerchantProfile.');
  }
  console.log(apiKey);
}

function parseScopes(text: string): ApiKeyScope[] {
  return text.split(',').map((word) => {
    const scope = ALL_SCOPES.find((known) => known === word.trim().toUpperCase());
    if (!scope) throw new InvalidArgumentError(`Scopes are ${ALL_SCOPES.join(', ').toLowerCase()}.`);
    return scope;
  });
}
