// Reads parts of the configuration, for commands that need no more.
import type { Config } from '../config.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { configuredEnvironments } from './cluster-config.ts';
import { ConfigError } from './config-error.ts';
import { type RedisConfig, readRedis } from './redis-config.ts';
import { VariableReader } from './variable-reader.ts';
import { apiAccessVariables } from './variables/api-access.ts';
import { camelCased, type Variables } from './variables/notes.ts';
import { databaseVariables, serverVariables } from './variables/server.ts';

type DatabaseUrls = Pick<Config, 'databaseUrl' | 'directDatabaseUrl'>;

/** Reads a part. @throws ConfigError with every wrong variable */
function readPart<T extends object>(env: Variables, read: (reader: VariableReader) => T | undefined): T {
  const reader = new VariableReader(env);
  const part = read(reader);
  if (!part || reader.hasProblems) throw reader.error();
  return part;
}

const { DATABASE_URL, DIRECT_DATABASE_URL } = databaseVariables;

function readDatabaseUrls(reader: VariableReader): DatabaseUrls | undefined {
  const values = reader.read({ DATABASE_URL, DIRECT_DATABASE_URL });
  return values && camelCased(values);
}

/**
 * Reads only the database URLs.
 *
 * @throws ConfigError
 */
export function databaseFromEnv(env: Variables): DatabaseUrls {
  return readPart(env, readDatabaseUrls);
}

/**
 * Reads only the location of the job queues.
 *
 * @throws ConfigError
 */
export function queuesFromEnv(env: Variables): DatabaseUrls & RedisConfig {
  return readPart(env, (reader) => {
    const [urls, redis] = [readDatabaseUrls(reader), readRedis(reader)];
    return urls && redis && { ...urls, ...redis };
  });
}

/**
 * Reads only the port of the API.
 *
 * @throws ConfigError
 */
export function portFromEnv(env: Variables): number {
  return readPart(env, (reader) => reader.read({ PORT: serverVariables.PORT })).PORT;
}

/**
 * Reads the URL of the dues server and the API key that a merchant's developer uses.
 *
 * @throws ConfigError
 */
export function apiAccessFromEnv(env: Variables): { readonly url: string; readonly apiKey?: string } {
  const { DUES_URL, DUES_API_KEY } = readPart(env, (reader) => reader.read(apiAccessVariables));
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
  return readPart(env, (reader) => {
    const values = reader.read({ DATABASE_URL, SECRET_KEY: serverVariables.SECRET_KEY });
    return values && { ...camelCased(values), environments: configuredEnvironments(reader) };
  });
}

/**
 * Whether variables name a database or a cluster. Without any, dues starts a trial.
 *
 * @throws ConfigError if they name a cluster but no database, because a trial would ignore the
 *   cluster
 */
export function isConfigured(env: Variables): boolean {
  const reader = new VariableReader(env);
  if (reader.isSet('DATABASE_URL')) return true;
  const [environment] = configuredEnvironments(reader);
  if (!environment) return false;
  throw new ConfigError(
    `DATABASE_URL is missing, and ${environment}_ variables are set: set it to run on them, or unset them for a trial on an embedded database and network`,
  );
}
