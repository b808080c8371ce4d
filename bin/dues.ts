#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
import { Command } from 'commander';
import { keysCommand } from './commands/keys.ts';
import { localnetCommand } from './commands/localnet.ts';
import { migrateCommand } from './commands/migrate.ts';
import { roleCommands } from './commands/roles.ts';
import { startCommand } from './commands/start.ts';

const dues = new Command('dues').description('Recurring billing for merchants on Solana');
for (const command of [
  startCommand(),
  ...roleCommands(),
  migrateCommand(),
  keysCommand(),
  localnetCommand(),
]) {
  dues.addCommand(command);
}
await dues.parseAsync();
