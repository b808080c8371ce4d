import { type DestinationStream, type Logger, pino } from 'pino';
import { LogOutput } from './log-output.ts';
import { currentTraceId } from './tracing/trace.ts';
import { withoutSecrets } from './without-secrets.ts';

export type { Logger } from 'pino';

/** Names of fields that may hold secrets, at any level. */
const SECRETS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'secret',
  'apiKey',
  'key',
  'token',
  'collectorKey',
  'previousCollectorKey',
  'feePayerKeys',
  'secretKey',
  'databaseUrl',
  'directDatabaseUrl',
  'redisUrl',
  'redisNodes',
  'password',
  'rpcUrl',
  'moreRpcUrls',
  'sendRpcUrls',
  'publicRpcUrls',
  'yellowstoneUrl',
  'yellowstoneToken',
  'smtpUrl',
  'sessionId',
]);
const CENSORED = '[redacted]';
const CENSORS = Object.fromEntries([...SECRETS].map((name) => [name, () => CENSORED]));
/** Levels of a log object that are searched for secret fields. Our log fields are flat. */
const LEVELS = 3;

/** Creates the log. It writes structured lines with the trace id and without secrets. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  if (destination) return logTo(destination, level);
  const output = new LogOutput((lines) => {
    log.warn({ lines }, 'log lines dropped: output not read in time');
  });
  const log = logTo(output, level);
  return log;
}

function logTo(destination: DestinationStream, level: string): Logger {
  return pino(
    {
      level,
      // Bindings of a child logger pass only through serializers.
      serializers: { ...CENSORS, err: toPlainError },
      formatters: { log: censor },
      mixin: () => {
        const traceId = currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
      // Known fields are censored above. Messages of foreign errors may contain secrets anywhere.
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  );
}

/** Replaces the values of secret fields. It copies the object only if it has any, which is rare. */
function censor<T>(value: T, levels = LEVELS): T {
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return toPlainError(value) as T;
  if (ArrayBuffer.isView(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [name, field] of Object.entries(value)) {
    const safe = SECRETS.has(name) ? CENSORED : censor(field, levels - 1);
    if (safe === field) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = safe;
  }
  return (copy as T | undefined) ?? value;
}

/**
 * Converts an error and its causes to plain objects. pino's own serializer writes into the error
 * and throws if a part is frozen, like the context of kit's errors.
 */
function toPlainError(error: unknown): unknown {
  if (!(error instanceof Error)) return censor(error);
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause === undefined ? {} : { cause: toPlainError(cause) }) };
}
