import { z } from 'zod';
import { appVariables } from './customer-app.ts';
import { hostInUrl } from './host-in-url.ts';
import { RETENTION } from './retention.ts';
import {
  commaList,
  httpUrl,
  isHost,
  isRange,
  mailbox,
  oneOf,
  port,
  secretKey,
  url,
  wholeNumber,
} from './variable-kinds.ts';

const keptDays = (min: number) => wholeNumber(min, 36_500).transform(Number).optional();

/** Variables that do not belong to one cluster. `.env.example` lists all variables. */
export const generalVariables = z.object({
  DATABASE_URL: url('postgresql://user:password@localhost:5432/dues', 'postgres', 'postgresql'),
  DIRECT_DATABASE_URL: url(
    'postgresql://user:password@localhost:5432/dues',
    'postgres',
    'postgresql',
  ).optional(),
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000).transform(Number).optional(),
  RELAY_SHARDS: wholeNumber(1, 16).transform(Number).optional(),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.{}-]{1,64}$/, 'must be 1 to 64 letters, digits, _ . - or braces')
    .optional(),
  SECRET_KEY: secretKey,
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: url('https://pay.example.com', 'http', 'https').optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  CLOCK: oneOf(['system', 'chain']).default('system'),
  WEBHOOK_HOSTS_ALLOWED: commaList
    .refine(
      (hosts) => hosts.every(isHost),
      'must be hosts like localhost or 10.0.0.1:8080, in lower case, separated by commas',
    )
    .default([]),
  SESSIONS_KEPT_DAYS: keptDays(RETENTION.sessionsDays.minDays),
  SIGNED_BYTES_KEPT_DAYS: keptDays(RETENTION.signedBytesDays.minDays),
  MAILS_KEPT_DAYS: keptDays(RETENTION.mailsDays.minDays),
  SMTP_URL: url('smtps://user:password@mail.example.com', 'smtp', 'smtps').optional(),
  MAIL_FROM: mailbox.optional(),
  MAIL_OPERATOR: mailbox.optional(),
  MAILS_PER_DAY: wholeNumber(1, 10_000_000).transform(Number).default(50_000),
  MAILS_PER_DAY_NEW: wholeNumber(1, 10_000_000).transform(Number).default(1_000),
  MAILS_PER_RECIPIENT: wholeNumber(1, 10_000_000).transform(Number).default(50),
  SIGN_UP: oneOf(['open', 'invited', 'closed']).optional(),
  DASHBOARD_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).transform(Number).optional(),
  STOP_DELAY_SECONDS: wholeNumber(0, 5).transform(Number).default(2),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  QUEUE_BOARD_USER: z.string().min(1).default('operator'),
  QUEUE_BOARD_PASSWORD: z.string().min(12, 'must have at least 12 characters').optional(),
  QUEUE_BOARD_ACTIONS: oneOf(['off', 'on']).default('off'),
  ...appVariables,
  EXTRA_WALLET_SCRIPT: httpUrl('http://127.0.0.1:8899/wallet.js').optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http://localhost:4318', 'http', 'https').optional(),
  TRUSTED_PROXIES: commaList
    .refine(
      (ranges) => ranges.every(isRange),
      'must be IP addresses or ranges like 10.0.0.0/8, separated by commas',
    )
    .default([]),
});

/**
 * A plan's account on chain has 128 bytes for its metadata URL. `/plans/`, a UUID and `.json` take
 * 48 of them.
 */
export const MAX_PUBLIC_URL_BYTES = 80;

/** The public URL of the service, without a trailing slash. */
export function publicUrlOf({
  PUBLIC_URL,
  HOST,
  PORT,
}: {
  readonly PUBLIC_URL?: string | undefined;
  readonly HOST: string;
  readonly PORT: number;
}): string {
  return (PUBLIC_URL ?? `http://${hostInUrl(HOST)}:${PORT}`).replace(/\/$/, '');
}
