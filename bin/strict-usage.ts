import type { Command } from 'commander';

const OK = 0;
const WRONG_USAGE = 2;

/**
 * Configures a command and its subcommands: for a wrong option or argument they print the usage on
 * stderr and end with exit code 2. Exit code 1 is for work that failed.
 */
export function strictUsage(command: Command): Command {
  command
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === OK ? OK : WRONG_USAGE));
  for (const subcommand of command.commands) strictUsage(subcommand);
  return command;
}
