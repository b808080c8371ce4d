import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTraceId } from './tracing/trace.ts';
import { withoutSecrets } from './without-secrets.ts';

export type { Logger } from 'pino';

/** Fields that may carry a secret, wherever they turn up in what is logged. */
const SECRETS = [
  'authorization',
  'cookie',
  'secret',
  'apiKey',
  'key',
  'token',
  'collectorKey',
  'secretKey',
  'databaseUrl',
  'redisUrl',
  'rpcUrl',
  'sessionId',
];

/** Structured lines with ids, never with secrets; those of one trace have its id. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      serializers: { err: plainError },
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
      mixin: () => {
        const traceId = currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
      // Names of fields say where secrets are put on purpose; messages of others' errors may hold them anywhere.
      hooks: { streamWrite: withoutSecrets },
    },
    ...(destination ? [destination] : []),
  );
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
