import { readFileSync } from 'node:fs';
import { configError } from './config-error.ts';
import type { Variables } from './variables.ts';

/** Secrets that belong to no environment. */
const GENERAL_SECRETS = [
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
 * `COLLECTOR_KEY` is missing here, because `collector-variables.ts` reads `COLLECTOR_KEY_FILE` and
 * reports its errors.
 */
const ENVIRONMENT_SECRETS = [
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

/** The names of all secrets but the collectors' keys. */
export const SECRETS: readonly string[] = [
  ...GENERAL_SECRETS,
  ...['TEST', 'LIVE'].flatMap((environment) => ENVIRONMENT_SECRETS.map((name) => `${environment}_${name}`)),
];

/**
 * Variables whose value may be read from a file: `<name>_FILE` is its path. The collectors'
 * addresses are public, but what creates a key can write its address next to it.
 */
export const FILE_VARIABLES: readonly string[] = [
  ...SECRETS,
  'TEST_COLLECTOR_ADDRESS',
  'LIVE_COLLECTOR_ADDRESS',
];

/**
 * Adds the values that files hold to the variables, under their names without `_FILE`. A line
 * break at the end of a file is not part of the value.
 *
 * @throws ConfigError listing every file that is empty or cannot be read, and every variable
 *   that is set twice
 */
export function addSecretFiles(set: Variables): Variables {
  const problems: string[] = [];
  const read = FILE_VARIABLES.flatMap((name) => {
    const path = set[`${name}_FILE`];
    if (path === undefined) return [];
    if (set[name] !== undefined) {
      problems.push(`${name}_FILE conflicts with ${name}: set only one of them`);
      return [];
    }
    const value = readContents(path);
    if ('problem' in value)
      problems.push(`${name}_FILE must be the path of a file with ${name}: ${value.problem}`);
    return 'text' in value ? [[name, value.text]] : [];
  });
  if (problems.length > 0) throw configError(problems);
  return { ...set, ...Object.fromEntries(read) };
}

function readContents(path: string): { readonly text: string } | { readonly problem: string } {
  try {
    const text = readFileSync(path, 'utf8').replace(/\r?\n$/, '');
    return text === '' ? { problem: 'the file is empty' } : { text };
  } catch (error) {
    return { problem: `it cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
}
