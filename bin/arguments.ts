import { isAddress } from '@solana/kit';
import { InvalidArgumentError } from 'commander';
import { isKnownYear } from '../src/domain/kernel/input/time-filter.ts';
import type { Environment } from '../src/generated/prisma/client.ts';

export function parseWholeNumber(value: string): number {
  if (!/^\d+$/.test(value)) throw new InvalidArgumentError('Not a whole number.');
  return Number(value);
}

export function parsePort(value: string): number {
  const number = parseWholeNumber(value);
  if (number > 65_535) throw new InvalidArgumentError('Ports go from 0 to 65535.');
  return number;
}

export function parseHttpUrl(value: string): string {
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) {
    throw new InvalidArgumentError('Not an http or https URL.');
  }
  return value;
}

/** Validates the URL of a checkout page. */
export function parseCheckoutUrl(value: string): string {
  const { pathname } = new URL(parseHttpUrl(value));
  if (!/\/checkout\/[^/]+$/.test(pathname)) {
    throw new InvalidArgumentError('Not the URL of a checkout, like http://127.0.0.1:3000/checkout/cs_...');
  }
  return value;
}

export function parseSolanaAddress(value: string): string {
  if (!isAddress(value)) throw new InvalidArgumentError('Not a Solana address.');
  return value;
}

export function parseTime(value: string): Date {
  const date = new Date(value);
  if (!isKnownYear(date)) throw new InvalidArgumentError('Not a time like 2027-01-31T00:00:00Z.');
  return date;
}

const UNIT_SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Parses `30d`, `12h`, `10m` or `45s` to seconds. */
export function parseDuration(value: string): number {
  const [, count, unit] = /^(-?\d{1,6})([smhd])$/.exec(value) ?? [];
  if (!count || !unit) throw new InvalidArgumentError('Not a duration like 30d, 12h, 10m or 45s.');
  if (Number(count) <= 0) throw new InvalidArgumentError('It must be more than 0.');
  return Number(count) * UNIT_SECONDS[unit as keyof typeof UNIT_SECONDS];
}

export function parseEnvironment(text: string): Environment {
  const name = text.toUpperCase();
  if (name !== 'TEST' && name !== 'LIVE') throw new InvalidArgumentError('Environments are test and live.');
  return name;
}
