import { z } from 'zod';
import { commaList, isHost, isRange, oneOf, port, secretKey, url, wholeNumber } from './variable-kinds.ts';

/** What does not belong to one cluster. `.env.example` lists them with those that do. */
export const variables = z.object({
  DATABASE_URL: url('postgresql://user:password@localhost:5432/dues', 'postgres', 'postgresql'),
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000).transform(Number).optional(),
  REDIS_URL: url('redis://localhost:6379', 'redis', 'rediss').optional(),
  SECRET_KEY: secretKey,
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: url('https://pay.example.com', 'http', 'https').optional(),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  CLOCK: oneOf(['system', 'chain']).default('system'),
  WEBHOOK_HOSTS_ALLOWED: commaList
    .refine(
      (hosts) => hosts.every(isHost),
      'must be hosts like localhost or 10.0.0.1:8080, in lower case and with commas',
    )
    .default([]),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: url('http://localhost:4318', 'http', 'https').optional(),
  TRUSTED_PROXIES: commaList
    .refine((ranges) => ranges.every(isRange), 'must be IP addresses or ranges like 10.0.0.0/8, with commas')
    .default([]),
});

/** Links to plans are kept on chain, where there is room for 128 bytes: `/plans/`, a UUID and `.json` take 48 of them. */
export const MAX_PUBLIC_URL_BYTES = 80;

/** How the outside reaches us, as far as the variables tell; without a slash at the end. */
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

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
