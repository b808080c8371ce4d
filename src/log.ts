import { type Logger, pino } from 'pino';

export type { Logger } from 'pino';

/** Fields that may carry a secret, wherever they turn up in what is logged. */
const SECRETS = [
  'authorization',
  'secret',
  'apiKey',
  'key',
  'token',
  'collectorKey',
  'databaseUrl',
  'redisUrl',
];

/** Structured lines with ids, never with secrets. */
export function createLog(level: string): Logger {
  return pino({
    level,
    serializers: { err: plainError },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  });
}

/**
 * An error in plain words, with what caused it. Not pino's own serializer: it writes into what it takes for an error, and
 * throws where that is frozen, as the context of kit's errors is.
 */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause === undefined ? {} : { cause: plainError(cause) }) };
}
