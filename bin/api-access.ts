import type { Command } from 'commander';
import { ConfigError } from '../src/config/config-error.ts';
import { apiAccessFromEnv } from '../src/config/part-from-env.ts';
import { parseHttpUrl } from './arguments.ts';
import { readConfig } from './read-config.ts';

/** A dues server, and a merchant's key for it. */
export interface ApiAccess {
  /** Without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
}

export interface ApiFlags {
  readonly url?: string;
  readonly apiKey?: string;
}

/** Adds the options of commands for a merchant's developer, who needs only a server and a key. */
export function withApiAccess(command: Command): Command {
  return command
    .option(
      '--url <url>',
      'URL of the dues server (default: DUES_URL, or http://127.0.0.1:3000)',
      parseHttpUrl,
    )
    .option(
      '--api-key <key>',
      "the merchant's API key (default: DUES_API_KEY, which process lists do not show)",
    );
}

/** @throws ConfigError without a key */
export function apiAccess(flags: ApiFlags): ApiAccess {
  const { url, apiKey } = { ...readConfig(apiAccessFromEnv), ...flags };
  if (!apiKey) throw new ConfigError('an API key is missing: set DUES_API_KEY, or give --api-key');
  return { url: url.replace(/\/+$/, ''), apiKey };
}
