// What commands read that need only a part of the configuration.
import { z } from 'zod';
import type { Config } from '../config.ts';
import type { Environment } from '../generated/prisma/client.ts';
import { environmentsOn } from './cluster-config.ts';
import { problemsOf, wrong } from './config-error.ts';
import { variables } from './general-variables.ts';
import { url } from './variable-kinds.ts';
import { type Variables, variablesSet } from './variables-set.ts';

/** What a merchant's developer sets, on another machine. */
const apiVariables = z.object({
  DUES_URL: url('https://dues.example.com', 'http', 'https').default('http://127.0.0.1:3000'),
  DUES_API_KEY: z.string().optional(),
});

/**
 * Reads only where the database is.
 *
 * @throws ConfigError
 */
export function databaseFromEnv(env: Variables): Pick<Config, 'databaseUrl'> {
  const set = variablesSet(env);
  const parsed = variables.pick({ DATABASE_URL: true }).safeParse(set);
  if (!parsed.success) throw wrong(problemsOf(parsed.error, set));
  return { databaseUrl: parsed.data.DATABASE_URL };
}

/**
 * Reads only where the API listens.
 *
 * @throws ConfigError
 */
export function portFromEnv(env: Variables): number {
  const set = variablesSet(env);
  const parsed = variables.pick({ PORT: true }).safeParse(set);
  if (!parsed.success) throw wrong(problemsOf(parsed.error, set));
  return parsed.data.PORT;
}

/**
 * Reads which dues server a merchant's developer works with, and by which key.
 *
 * @throws ConfigError
 */
export function apiAccessFromEnv(env: Variables): { readonly url: string; readonly apiKey?: string } {
  const set = variablesSet(env);
  const parsed = apiVariables.safeParse(set);
  if (!parsed.success) throw wrong(problemsOf(parsed.error, set));
  const { DUES_URL, DUES_API_KEY } = parsed.data;
  return { url: DUES_URL, ...(DUES_API_KEY && { apiKey: DUES_API_KEY }) };
}

/**
 * Reads what API keys are made with. `environments` are those that this configuration serves, as far as it tells.
 *
 * @throws ConfigError
 */
export function keyConfigFromEnv(
  env: Variables,
): Pick<Config, 'databaseUrl' | 'secretKey'> & { readonly environments: readonly Environment[] } {
  const set = variablesSet(env);
  const parsed = variables.pick({ DATABASE_URL: true, SECRET_KEY: true }).safeParse(set);
  if (!parsed.success) throw wrong(problemsOf(parsed.error, set));
  const { DATABASE_URL: databaseUrl, SECRET_KEY } = parsed.data;
  return { databaseUrl, secretKey: SECRET_KEY, environments: environmentsOn(set) };
}

/**
 * Whether the environment's variables say what to run on. Without any of ours that names a database or a cluster, whoever
 * starts dues wants to try it out.
 *
 * @throws ConfigError where a cluster is named and no database: what runs for a trial would leave the cluster alone
 */
export function isConfigured(env: Variables): boolean {
  const set = variablesSet(env);
  if (set.DATABASE_URL !== undefined) return true;
  const [on] = environmentsOn(set);
  if (!on) return false;
  throw wrong([
    `DATABASE_URL is missing, and ${on}_ variables are set: set it to run on them, or unset them for a trial on an embedded database and network`,
  ]);
}
