import { styleText } from 'node:util';

/**
 * What the person at the keyboard can mend, by name, so that no module is loaded for it; anything else is a bug and keeps
 * its stack.
 */
const EXPECTED: ReadonlySet<string> = new Set([
  'AlreadyRunning',
  'ApiUnusable',
  'BillingError',
  'CloneFailed',
  'ClusterUnusable',
  'CollectorWithoutSol',
  'ConfigError',
  'DatabaseUnusable',
  'EmbeddedDatabaseFailed',
  'EnvFileUnreadable',
  'NotApproved',
  'PortInUse',
  'RedisUnusable',
  'SignerFailed',
  'SubscribeRefused',
  'TravelRefused',
  'UnreadableProgram',
  'UnreadableState',
  'UnreadableWallet',
]);

/** Runs a command's work; a failure that a person can mend is one clear message and exit code 1. */
export async function orExplain<T>(command: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const message = explain(command, error);
    if (message === undefined) throw error;
    console.error(styleText('red', `dues ${command}: ${message}`));
    process.exit(1);
  }
}

/** In words, where it is one of those. */
function explain(command: string, error: unknown): string | undefined {
  if (error instanceof Error && EXPECTED.has(error.name)) return error.message;
  // A server that could not listen says so in errors of the system.
  const { syscall, code, address, hostname, port } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly hostname?: string;
    readonly port?: number;
  };
  if (syscall === 'getaddrinfo') return `cannot listen on ${hostname}: there is no such host (${code})`;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE') {
    return `port ${port} is in use: stop what uses it, or choose another (${command === 'start' ? '--port, or PORT' : 'PORT'})`;
  }
  const reason =
    code === 'EADDRNOTAVAIL' ? 'it is no address of this machine' : code === 'EACCES' ? 'not allowed' : code;
  return `cannot listen on ${address}${port ? `:${port}` : ''}: ${reason}`;
}
