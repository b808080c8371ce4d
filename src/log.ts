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
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[redacted]' },
  });
}
