import type { z } from 'zod';
import { type ClusterConfig, configuredEnvironments, readClusters } from './config/cluster-config.ts';
import { type CustomerApp, readCustomerApp } from './config/customer-app.ts';
import { hostInUrl } from './config/host-in-url.ts';
import { type MailConfig, readMailConfig } from './config/mail-config.ts';
import { type OperationsConfig, readOperations } from './config/operations-config.ts';
import { type RedisConfig, readRedis } from './config/redis-config.ts';
import { readRetention } from './config/retention.ts';
import { VariableReader } from './config/variable-reader.ts';
import { type CamelCased, camelCased, type Variables } from './config/variables/notes.ts';
import type { Retention } from './config/variables/retention.ts';
import { databaseVariables, serverVariables } from './config/variables/server.ts';
import type { Environment } from './generated/prisma/client.ts';

const ownVariables = { ...databaseVariables, ...serverVariables };
type Values = z.output<z.ZodObject<typeof ownVariables>>;

/**
 * The configuration of a process. Every variable of `config/variables/server.ts` is a field under
 * its own name.
 */
export interface Config extends CamelCased<Omit<Values, 'PUBLIC_URL'>>, RedisConfig, OperationsConfig {
  /** Public URL of the API and the pages, without a trailing slash. */
  readonly publicUrl: string;
  readonly clusters: Readonly<Partial<Record<Environment, ClusterConfig>>>;
  /** Retention in days, if it differs from the defaults. */
  readonly retention?: Partial<Retention>;
  /** The mail server; without it no mail is sent. */
  readonly mail?: MailConfig;
  /** The app for customers; default an app with the scheme `dues`. */
  readonly customerApp?: CustomerApp;
}

/**
 * A plan's account on chain has 128 bytes for its metadata URL. `/plans/`, a UUID and `.json` take
 * 48 of them.
 */
export const MAX_PUBLIC_URL_BYTES = 80;

/**
 * Reads the configuration from environment variables (`.env.example` lists them). An environment is
 * configured if one of its variables is set.
 *
 * @throws ConfigError that lists every wrong variable
 */
export function configFromEnv(env: Variables): Config {
  const reader = new VariableReader(env);
  const values = reader.read(ownVariables);
  const redis = readRedis(reader);
  const operations = readOperations(reader);
  const retention = readRetention(reader);
  const mail = readMailConfig(reader);
  const customerApp = readCustomerApp(reader);
  const clusters = readClusters(reader);
  const publicUrl = values ? publicUrlOf(values) : '';
  if (Buffer.byteLength(publicUrl) > MAX_PUBLIC_URL_BYTES) {
    reader.report(
      `PUBLIC_URL must have at most ${MAX_PUBLIC_URL_BYTES} bytes: links below it are stored on chain, where space is limited`,
    );
  }
  const environments = configuredEnvironments(reader);
  if (environments.length === 0) {
    reader.report(
      'TEST_RPC_URL or LIVE_RPC_URL is missing: a cluster is needed, Devnet for tests or Mainnet',
    );
  }
  if (values?.EXTRA_WALLET_SCRIPT && environments.includes('LIVE')) {
    reader.report(
      'EXTRA_WALLET_SCRIPT must not be set where LIVE_ variables are: the script runs in the pages of real money',
    );
  }
  if (!values || !redis || reader.hasProblems) throw reader.error();
  return {
    ...camelCased(values),
    ...redis,
    ...operations,
    publicUrl,
    clusters,
    ...(retention && { retention }),
    ...(mail && { mail }),
    ...(customerApp && { customerApp }),
  };
}

function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Values): string {
  return (PUBLIC_URL ?? `http://${hostInUrl(HOST)}:${PORT}`).replace(/\/$/, '');
}
