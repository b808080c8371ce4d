import type { Command } from 'commander';

const OK = 0;
const WRONG_USAGE = 2;

/**
 * Makes a command and all its subcommands answer a wrong option or argument with the usage on
 * stderr and exit code 2. Exit code 1 stays for work that failed.
 */
export function strictUsage(command: Command): Command {
  command
    .showHelpAfterError()
    .exitOverride(({ exitCode }) => process.exit(exitCode === OK ? OK : WRONG_USAGE));
  for (const below of command.commands) strictUsage(below);
  return command;
}
