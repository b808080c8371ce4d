import { Command } from 'commander';
import { systemClock } from '../../src/clock.ts';
import { keyConfigFromEnv } from '../../src/config/part-from-env.ts';
import { connectDb } from '../../src/db/db.ts';
import { inviteWallet, withdrawInvitation } from '../../src/domain/accounts/sign-in/invitations.ts';
import { assertDatabaseReachable } from '../../src/postgres/assert-database-reachable.ts';
import { assertMigrated } from '../../src/postgres/migrations.ts';
import { parseSolanaAddress } from '../arguments.ts';
import { exitOnFailure } from '../expected-failure.ts';
import { readConfig } from '../read-config.ts';

interface Flags {
  readonly withdraw?: boolean;
}

/** `dues invite <wallet>`: allows a wallet to create a merchant while `SIGN_UP` is `invited`. */
export function inviteCommand(): Command {
  return new Command('invite')
    .argument('<wallet>', 'address of the wallet', parseSolanaAddress)
    .option('--withdraw', 'withdraw the invitation; a merchant that was created stays')
    .action((wallet: string, flags: Flags) => exitOnFailure('invite', invite(wallet, flags)));
}

async function invite(wallet: string, { withdraw = false }: Flags): Promise<void> {
  const { databaseUrl } = readConfig(keyConfigFromEnv);
  await assertDatabaseReachable(databaseUrl);
  await using closing = new AsyncDisposableStack();
  const ctx = { db: connectDb(databaseUrl), clock: systemClock };
  closing.defer(() => ctx.db.$disconnect());
  await assertMigrated(ctx.db);
  if (withdraw) await withdrawInvitation(ctx, wallet);
  else await inviteWallet(ctx, wallet);
  console.log(`${wallet} may ${withdraw ? 'no longer' : 'now'} create a merchant, if SIGN_UP is invited.`);
}
