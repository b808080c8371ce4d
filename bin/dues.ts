#!/usr/bin/env node
import { Command } from 'commander';
import { localnetCommand } from './commands/localnet.ts';

await new Command('dues')
  .description('Recurring billing for merchants on Solana')
  .addCommand(localnetCommand())
  .parseAsync();
