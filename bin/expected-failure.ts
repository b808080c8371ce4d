import { inspect, styleText } from 'node:util';
import { CONNECTION_LIMIT_ADVICE } from '../src/config/connection-limit-advice.ts';
import { withoutUrlSecrets } from '../src/observability/public-urls.ts';

/**
 * The names of errors that the user can fix. They are names, because the modules of the classes are
 * loaded only when needed. Any other error is a bug and keeps its stack.
 */
const EXPECTED: ReadonlySet<string> = new Set([
  'AlreadyRunning',
  'ApiUnusable',
  'BillingError',
  'CloneFailed',
  'ClusterUnusable',
  'ConfigError',
  'DatabaseUnusable',
  'EmbeddedDatabaseFailed',
  'EnvFileUnreadable',
  'NodeBehind',
  'NotApproved',
  'PortInUse',
  'RedisUnusable',
  'SignerFailed',
  'SubscribeRefused',
  'TravelRefused',
  'UnreadableProgram',
  'UnreadableSource',
  'UnreadableState',
  'UnreadableWallet',
]);

/** Runs a command; an expected failure prints one message and exits with code 1. */
export async function exitOnFailure<T>(command: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const message = explain(command, error);
    const text = message ?? `unexpected error:\n${withoutUrlSecrets(inspect(error))}`;
    console.error(styleText('red', `dues ${command}: ${text}`));
    process.exit(1);
  }
}

interface CodedError {
  readonly code?: unknown;
  readonly originalCode?: unknown;
  readonly cause?: unknown;
  readonly meta?: { readonly driverAdapterError?: unknown };
}

/** Whether an error has PostgreSQL's or Prisma's code for too many connections. */
function isTooManyConnections(error: unknown): boolean {
  const { code, originalCode, cause, meta } = (error ?? {}) as CodedError;
  if (code === '53300' || originalCode === '53300' || code === 'P2037') return true;
  // For raw SQL, Prisma stores PostgreSQL's error here.
  return [cause, meta?.driverAdapterError].some(
    (inner) => inner !== undefined && isTooManyConnections(inner),
  );
}

/** The message of an expected failure; undefined for any other error. */
export function explain(command: string, error: unknown): string | undefined {
  if (error instanceof Error && EXPECTED.has(error.name)) return error.message;
  if (isTooManyConnections(error)) return `the database has no connection left. ${CONNECTION_LIMIT_ADVICE}`;
  // A server that cannot listen throws a system error.
  const { syscall, code, address, hostname, port } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly hostname?: string;
    readonly port?: number;
  };
  if (syscall === 'getaddrinfo') return `cannot listen on ${hostname}: the host does not exist (${code})`;
  if (syscall !== 'listen') return undefined;
  if (code === 'EADDRINUSE') {
    return `port ${port} is in use: stop the program that uses it, or choose another (${command === 'start' ? '--port, or PORT' : 'PORT'})`;
  }
  const reason =
    code === 'EADDRNOTAVAIL'
      ? 'it is not an address of this machine'
      : code === 'EACCES'
        ? 'not allowed'
        : code;
  return `cannot listen on ${address}${port ? `:${port}` : ''}: ${reason}`;
}
