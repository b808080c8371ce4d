import { styleText } from 'node:util';
import { CloneFailed } from '../localnet/clone.ts';
import { PortInUse } from '../localnet/server.ts';
import { UnreadableState } from '../localnet/state-file.ts';
import { UnreadableProgram } from '../localnet/virtual-machine.ts';
import { DatabaseUnusable } from '../src/app.ts';
import { ClusterUnusable } from '../src/chain/chain.ts';
import { ConfigError } from '../src/config.ts';
import { EmbeddedDatabaseFailed } from '../src/database/embedded.ts';

/** What the person at the keyboard can mend; anything else is a bug and keeps its stack. */
const EXPECTED = [
  CloneFailed,
  ClusterUnusable,
  ConfigError,
  DatabaseUnusable,
  EmbeddedDatabaseFailed,
  PortInUse,
  UnreadableProgram,
  UnreadableState,
];

/** Runs a command's work; a failure that a person can mend is one clear message and exit code 1. */
export async function orExplain<T>(command: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!EXPECTED.some((expected) => error instanceof expected)) throw error;
    console.error(styleText('red', `dues ${command}: ${(error as Error).message}`));
    process.exit(1);
  }
}
