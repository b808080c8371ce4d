import { readFileSync } from 'node:fs';
import { configError } from './config-error.ts';
import type { Variables } from './variables.ts';

/** Secrets that belong to no environment. */
const GENERAL = [
  'DATABASE_URL',
  'DIRECT_DATABASE_URL',
  'REDIS_URL',
  'REDIS_PASSWORD',
  'REDIS_SENTINEL_PASSWORD',
  'SECRET_KEY',
  'QUEUE_BOARD_PASSWORD',
  'SMTP_URL',
  'DUES_API_KEY',
] as const;

/**
 * Secrets of each environment. The URLs of nodes and signers often contain a key.
 * `COLLECTOR_KEY_FILE` is not here, because it is a variable of its own with its own errors
 * (`collector-variables.ts`).
 */
const OF_ENVIRONMENT = [
  'RPC_URL',
  'SEND_RPC_URL',
  'PUBLIC_RPC_URL',
  'YELLOWSTONE_URL',
  'YELLOWSTONE_TOKEN',
  'COLLECTOR_SIGNER_URL',
  'COLLECTOR_SIGNER_TOKEN',
  'COLLECTOR_PREVIOUS_SIGNER_URL',
  'COLLECTOR_PREVIOUS_SIGNER_TOKEN',
] as const;

/** Variables whose value may be read from a file: `<name>_FILE` is its path. */
export const SECRETS: readonly string[] = [
  ...GENERAL,
  ...['TEST', 'LIVE'].flatMap((environment) => OF_ENVIRONMENT.map((name) => `${environment}_${name}`)),
];

/**
 * The variables with the secrets that files hold, without `_FILE`. A line break at the end of a
 * file is not part of its value.
 *
 * @throws ConfigError that lists every file that cannot be read or is empty, and every secret that
 *   is set twice
 */
export function withSecretFiles(set: Variables): Variables {
  const problems: string[] = [];
  const read = SECRETS.flatMap((name) => {
    const path = set[`${name}_FILE`];
    if (path === undefined) return [];
    if (set[name] !== undefined) {
      problems.push(`${name}_FILE conflicts with ${name}: set only one of them`);
      return [];
    }
    const value = contentsOf(path);
    if ('problem' in value)
      problems.push(`${name}_FILE must be the path of a file with ${name}: ${value.problem}`);
    return 'text' in value ? [[name, value.text]] : [];
  });
  if (problems.length > 0) throw configError(problems);
  return { ...set, ...Object.fromEntries(read) };
}

function contentsOf(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { problem: 'the file is empty' } : { text };
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
