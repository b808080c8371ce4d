// Reads parts of the configuration, for commands that need no more.
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { configuredEnvironments } from './cluster-config.ts';
import { configError, problemsOf } from './config-error.ts';
import { generalVariables } from './general-variables.ts';
import { readVariables } from './read-variables.ts';
import { type RedisConfig, readRedis } from './redis-config.ts';
import { url } from './variable-kinds.ts';
import type { Variables } from './variables.ts';

type QueueStore = Pick<Config, 'databaseUrl' | 'directDatabaseUrl' | 'redisPrefix'> & RedisConfig;

/** Variables for merchants' developers, who use dues from another machine. */
export const apiVariables = z.object({
  DUES_URL: url('https://dues.example.com', 'http', 'https').default('http://127.0.0.1:3000'),
  DUES_API_KEY: z.string().optional(),
});

/**
 * Reads only the database URLs.
 *
 * @throws ConfigError
 */
export function databaseFromEnv(env: Variables): Pick<Config, 'databaseUrl' | 'directDatabaseUrl'> {
  const set = readVariables(env);
  const parsed = generalVariables.pick({ DATABASE_URL: true, DIRECT_DATABASE_URL: true }).safeParse(set);
  if (!parsed.success) throw configError(problemsOf(parsed.error, set));
  const { DATABASE_URL: databaseUrl, DIRECT_DATABASE_URL: directDatabaseUrl } = parsed.data;
  return { databaseUrl, ...(directDatabaseUrl && { directDatabaseUrl }) };
}

/**
 * Reads only the location of the job queues.
 *
 * @throws ConfigError
 */
export function queuesFromEnv(env: Variables): QueueStore {
  const set = readVariables(env);
  const names = {
    DATABASE_URL: true,
    DIRECT_DATABASE_URL: true,
    REDIS_PREFIX: true,
  } as const;
  const parsed = generalVariables.pick(names).safeParse(set);
  const problems = parsed.success ? [] : problemsOf(parsed.error, set);
  const redis = readRedis(set, problems);
  if (!parsed.success || problems.length > 0) throw configError(problems);
  const { data } = parsed;
  return {
    databaseUrl: data.DATABASE_URL,
    ...redis,
    ...(data.DIRECT_DATABASE_URL && { directDatabaseUrl: data.DIRECT_DATABASE_URL }),
    ...(data.REDIS_PREFIX && { redisPrefix: data.REDIS_PREFIX }),
  };
}

/**
 * Reads only the port of the API.
 *
 * @throws ConfigError
 */
export function portFromEnv(env: Variables): number {
  const set = readVariables(env);
  const parsed = generalVariables.pick({ PORT: true }).safeParse(set);
  if (!parsed.success) throw configError(problemsOf(parsed.error, set));
  return parsed.data.PORT;
}

/**
 * Reads the URL of the dues server and the API key that a merchant's developer uses.
 *
 * @throws ConfigError
 */
export function apiAccessFromEnv(env: Variables): { readonly url: string; readonly apiKey?: string } {
  const set = readVariables(env);
  const parsed = apiVariables.safeParse(set);
  if (!parsed.success) throw configError(problemsOf(parsed.error, set));
  const { DUES_URL, DUES_API_KEY } = parsed.data;
  return { url: DUES_URL, ...(DUES_API_KEY && { apiKey: DUES_API_KEY }) };
}

/**
 * Reads what is needed to create API keys. `environments` are those for which variables are set.
 *
 * @throws ConfigError
 */
export function keyConfigFromEnv(
  env: Variables,
): Pick<Config, 'databaseUrl' | 'secretKey'> & { readonly environments: readonly Environment[] } {
  const set = readVariables(env);
  const parsed = generalVariables.pick({ DATABASE_URL: true, SECRET_KEY: true }).safeParse(set);
  if (!parsed.success) throw configError(problemsOf(parsed.error, set));
  const { DATABASE_URL: databaseUrl, SECRET_KEY } = parsed.data;
  return { databaseUrl, secretKey: SECRET_KEY, environments: configuredEnvironments(set) };
}

/**
 * Whether variables name a database or a cluster. Without any, dues starts a trial.
 *
 * @throws ConfigError if they name a cluster but no database, because a trial would ignore the
 *   cluster
 */
export function isConfigured(env: Variables): boolean {
  const set = readVariables(env);
  if (set.DATABASE_URL !== undefined) return true;
  const [environment] = configuredEnvironments(set);
  if (!environment) return false;
  throw configError([
    `DATABASE_URL is missing, and ${environment}_ variables are set: set it to run on them, or unset them for a trial on an embedded database and network`,
  ]);
}
