import { type DestinationStream, type Logger, pino } from 'pino';
import { currentTraceId } from './tracing/trace.ts';
import { withoutSecrets } from './without-secrets.ts';

export type { Logger } from 'pino';

/** Fields that may carry a secret, wherever they turn up in what is logged. */
const SECRETS: ReadonlySet<string> = new Set([
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
]);
const CENSORED = '[redacted]';
const CENSORS = Object.fromEntries([...SECRETS].map((name) => [name, () => CENSORED]));
/** How deep they are looked for: what is logged is flat, but for what others made. */
const LEVELS = 3;

/** Lines go out several at once, for each write takes as long as ten lines: when there are so many characters, */
const WRITTEN_AT_ONCE = 4_096;
/** or after so long. The end of the process waits for them. */
const WRITTEN_WITHIN_MS = 50;
/** Where nobody reads them, so many characters wait; what comes on top is dropped, and counted. */
const WAITING_AT_MOST = 8 * 1024 * 1024;

/** Structured lines with ids, never with secrets; those of one trace have its id. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  if (destination) return logTo(destination, level);
  const output = standardOutput();
  const log = logTo(output, level);
  tellDropped(output, log);
  return log;
}

function logTo(destination: DestinationStream, level: string): Logger {
  return pino(
    {
      level,
      // What a child logger is bound to passes by serializers only.
      serializers: { ...CENSORS, err: plainError },
      formatters: { log: censored },
      mixin: () => {
        const traceId = currentTraceId();
        return traceId === undefined ? {} : { traceId };
      },
      // Names of fields say where secrets are put on purpose; messages of others' errors may hold them anywhere.
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  );
}

function standardOutput() {
  return pino.destination({
    sync: false,
    minLength: WRITTEN_AT_ONCE,
    periodicFlush: WRITTEN_WITHIN_MS,
    maxLength: WAITING_AT_MOST,
  });
}

/** Once what waited is written, it is said how many lines are missing there. */
function tellDropped(output: ReturnType<typeof standardOutput>, log: Logger): void {
  let dropped = 0;
  output.on('drop', () => {
    dropped += 1;
  });
  output.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ lines }, 'log lines dropped, for nobody read them in time');
  });
}

/** The same, without what stands under the name of a secret. Copied only where something does: most lines have none. */
function censored<T>(value: T, levels = LEVELS): T {
  if (levels === 0 || typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return plainError(value) as T;
  if (ArrayBuffer.isView(value)) return value;
  let copy: Record<string, unknown> | undefined;
  for (const [name, each] of Object.entries(value)) {
    const safe = SECRETS.has(name) ? CENSORED : censored(each, levels - 1);
    if (safe === each) continue;
    copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
    copy[name] = safe;
  }
  return (copy as T | undefined) ?? value;
}

/**
 * An error in plain words, with what caused it. Not pino's own serializer: it writes into what it takes for an error, and
 * throws where that is frozen, as the context of kit's errors is.
 */
function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return censored(error);
  const { name, message, stack, cause } = error;
  return { type: name, message, stack, ...(cause === undefined ? {} : { cause: plainError(cause) }) };
}
