import { type Address, address, isAddress } from '@solana/kit';
import { z } from 'zod';
import type { Environment } from './generated/prisma/client.ts';

const DEVNET_USDC = address('4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU');
const MAINNET_USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** One environment's way to its cluster. */
export interface ClusterConfig {
  readonly rpcUrl: string;
  /** Yellowstone gRPC endpoint; without one the indexer polls the RPC. */
  readonly yellowstoneUrl: string | undefined;
  readonly yellowstoneToken: string | undefined;
  /** The asset that plans are priced in where they name none. */
  readonly defaultMint: Address;
  /** 64 bytes, as `solana-keygen` writes them: private and public key. */
  readonly collectorKey: Uint8Array;
}

export interface Config {
  readonly databaseUrl: string;
  /** Without Redis: queues on PostgreSQL, live updates and limits within one process. */
  readonly redisUrl: string | undefined;
  /** 32 bytes: API keys are hashed and webhook secrets encrypted with keys derived from it. */
  readonly secretKey: Uint8Array;
  readonly host: string;
  readonly port: number;
  /** How the outside reaches the API and the pages, without a slash at the end. */
  readonly publicUrl: string;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  /** Whose time billing goes by: the machine's, or (for local networks, whose time is moved) the cluster's. */
  readonly clock: 'system' | 'chain';
  /** Hosts (`name` or `name:port`) that webhooks may go to although they are private or plain http. */
  readonly webhookHostsAllowed: readonly string[];
  readonly clusters: Readonly<Partial<Record<Environment, ClusterConfig>>>;
}

/** Every variable that is wrong or missing, one a line: what it is, what was wrong, what is allowed. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join('|')})$`),
    error: `must be a URL of ${protocols.join(', ')}`,
  });
const secretKey = z
  .base64('must be base64')
  .transform((text) => Uint8Array.from(Buffer.from(text, 'base64')))
  .refine((bytes) => bytes.length === 32, 'must be 32 bytes in base64: openssl rand -base64 32');
const collectorKey = z.string().transform((text, context) => {
  const bytes = z.array(z.number().int().min(0).max(255)).length(64).safeParse(parseJson(text));
  if (bytes.success) return Uint8Array.from(bytes.data);
  context.addIssue('must be the contents of a solana-keygen file: a JSON array of 64 numbers');
  return z.NEVER;
});
const mint = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  'must be an address',
);
const port = z.coerce.number({ error: 'must be a port, 0 to 65535' }).int().min(0).max(65_535);
const hostList = z.string().transform((text) =>
  text
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean),
);

const clusterVariables = {
  RPC_URL: url('http', 'https'),
  YELLOWSTONE_URL: url('http', 'https').optional(),
  YELLOWSTONE_TOKEN: z.string().optional(),
  COLLECTOR_KEY: collectorKey,
};

const variables = z.object({
  DATABASE_URL: url('postgres', 'postgresql'),
  REDIS_URL: url('redis', 'rediss').optional(),
  SECRET_KEY: secretKey,
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  PUBLIC_URL: url('http', 'https').optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'silent']).default('info'),
  CLOCK: z.enum(['system', 'chain']).default('system'),
  WEBHOOK_HOSTS_ALLOWED: hostList.default([]),
});

/**
 * Reads the configuration from the environment's variables (`.env.example` lists them). An environment is on where
 * its RPC URL is set.
 *
 * @throws ConfigError naming every wrong variable at once
 */
export function configFromEnv(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is an unset one: that is what `NAME=` in an env file means to people.
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const problems: string[] = [];
  const general = variables.safeParse(set);
  if (!general.success) problems.push(...problemsOf(general.error, set));
  const clusters: Partial<Record<Environment, ClusterConfig>> = {};
  for (const [environment, defaultMint] of [
    ['TEST', DEVNET_USDC],
    ['LIVE', MAINNET_USDC],
  ] as const) {
    if (!Object.keys(set).some((name) => name.startsWith(`${environment}_`))) continue;
    const names = Object.entries({ ...clusterVariables, USDC_MINT: mint.default(defaultMint) });
    const shape = Object.fromEntries(names.map(([name, schema]) => [`${environment}_${name}`, schema]));
    const parsed = z.object(shape).safeParse(set);
    if (!parsed.success) {
      problems.push(...problemsOf(parsed.error, set));
      continue;
    }
    const value = (name: string) => (parsed.data as Record<string, unknown>)[`${environment}_${name}`];
    clusters[environment] = {
      rpcUrl: value('RPC_URL') as string,
      yellowstoneUrl: value('YELLOWSTONE_URL') as string | undefined,
      yellowstoneToken: value('YELLOWSTONE_TOKEN') as string | undefined,
      defaultMint: value('USDC_MINT') as Address,
      collectorKey: value('COLLECTOR_KEY') as Uint8Array,
    };
  }
  if (problems.length === 0 && Object.keys(clusters).length === 0) {
    problems.push('TEST_RPC_URL or LIVE_RPC_URL: at least one environment must be set');
  }
  if (!general.success || problems.length > 0) {
    throw new ConfigError(`The configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
  const { data } = general;
  return {
    databaseUrl: data.DATABASE_URL,
    redisUrl: data.REDIS_URL,
    secretKey: data.SECRET_KEY,
    host: data.HOST,
    port: data.PORT,
    publicUrl: (data.PUBLIC_URL ?? `http://${hostInUrl(data.HOST)}:${data.PORT}`).replace(/\/$/, ''),
    logLevel: data.LOG_LEVEL,
    clock: data.CLOCK,
    webhookHostsAllowed: data.WEBHOOK_HOSTS_ALLOWED,
    clusters,
  };
}

// Some of these are secrets: only our own words go out, never the value.
function problemsOf(error: z.ZodError, set: Readonly<Record<string, unknown>>): string[] {
  return error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `${name} ${name in set ? '' : 'is missing: '}${issue.message}`;
  });
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
