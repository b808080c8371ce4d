import { isIP } from 'node:net';
import { type Address, address, isAddress } from '@solana/kit';
import { z } from 'zod';
import {
  COLLECTOR,
  type CollectorSource,
  collectorFrom,
  collectorMissing,
  collectorVariables,
  PREVIOUS_COLLECTOR,
} from './collector-variables.ts';
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
  /** Named by new plans, and pulls wherever a plan names it. */
  readonly collectorKey: CollectorSource;
  /** The one before: pulls from plans that name it and not the new one. */
  readonly previousCollectorKey?: CollectorSource;
  /** As many payments share a transaction at most. */
  readonly maxPullsPerTransaction: number;
  /** What a place in a block may cost on top of the base fee, in micro-lamports a compute unit. */
  readonly maxPriorityFee: bigint;
  /** So many token accounts may a filter of the stream name: what the provider of it allows. */
  readonly maxWatchedAccounts: number;
}

/** How a cluster is collected on where nothing else is wanted. */
export const COLLECTING_DEFAULTS = {
  /** More of one plan fit in no transaction. */
  maxPullsPerTransaction: 19,
  /** A transaction of 19 takes some 200,000 compute units: 10,000 lamports, twice its base fee. */
  maxPriorityFee: 50_000n,
  /** What is past due beyond these is read in turn instead. */
  maxWatchedAccounts: 1_000,
} as const;

export interface Config {
  readonly databaseUrl: string;
  /** Connections to it that one process may have at once, for its queries; 10 where it is not set. */
  readonly databaseConnections?: number;
  /** Without Redis: queues and limits on PostgreSQL, live updates on one machine. */
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
  /** Our own proxies (`address` or `address/bits`), whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly clusters: Readonly<Partial<Record<Environment, ClusterConfig>>>;
  /** Where metrics and health are served, for operators only; nowhere where it is not set. */
  readonly operations?: { readonly host: string; readonly port: number };
  /** An OpenTelemetry collector that traces go to (OTLP over HTTP); nothing is traced where it is not set. */
  readonly tracesEndpoint?: string;
}

/** Every variable that is wrong or missing, one a line: what it is, what was wrong, what is allowed. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const url = (example: string, ...protocols: string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error: `must be a URL like ${example}` });
const SECRET_KEY_RULE = 'must be 32 bytes in base64 (openssl rand -base64 32 makes them)';
const secretKey = z
  .base64(SECRET_KEY_RULE)
  .transform((text) => Uint8Array.from(Buffer.from(text, 'base64')))
  .refine((bytes) => bytes.length === 32, SECRET_KEY_RULE);
const mint = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  "must be the address of a token's mint",
);
const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port, 0 to 65535')
  .transform(Number);
const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be a whole number, ${least} to ${most}`,
    );
const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean),
);

/** Links to plans are kept on chain, where there is room for 128 bytes: `/plans/`, a UUID and `.json` take 48 of them. */
export const MAX_PUBLIC_URL_BYTES = 80;

const clusterVariables = {
  RPC_URL: url('https://api.devnet.solana.com', 'http', 'https'),
  YELLOWSTONE_URL: url('https://yellowstone.example.com:443', 'http', 'https').optional(),
  YELLOWSTONE_TOKEN: z.string().optional(),
  ...collectorVariables,
  MAX_PULLS_PER_TRANSACTION: wholeNumber(1, 19)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.maxPullsPerTransaction),
  MAX_PRIORITY_FEE: wholeNumber(0, 1_000_000_000)
    .transform(BigInt)
    .default(COLLECTING_DEFAULTS.maxPriorityFee),
  MAX_WATCHED_ACCOUNTS: wholeNumber(0, 1_000_000)
    .transform(Number)
    .default(COLLECTING_DEFAULTS.maxWatchedAccounts),
};

const variables = z.object({
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

/** What a merchant's developer sets, on another machine. */
const apiVariables = z.object({
  DUES_URL: url('https://dues.example.com', 'http', 'https').default('http://127.0.0.1:3000'),
  DUES_API_KEY: z.string().optional(),
});

type Variables = Readonly<Record<string, string | undefined>>;

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
  const environments = ENVIRONMENTS.flatMap(([environment]) => (isOn(environment, set) ? [environment] : []));
  return { databaseUrl: parsed.data.DATABASE_URL, secretKey: parsed.data.SECRET_KEY, environments };
}

/**
 * Reads the configuration from the environment's variables (`.env.example` lists them). An environment is on where
 * one of its variables is set.
 *
 * @throws ConfigError naming every wrong variable at once
 */
export function configFromEnv(env: Variables): Config {
  const set = variablesSet(env);
  const problems: string[] = [];
  const general = variables.safeParse(set);
  if (!general.success) problems.push(...problemsOf(general.error, set));
  const clusters: Partial<Record<Environment, ClusterConfig>> = {};
  for (const [environment, defaultMint] of ENVIRONMENTS) {
    if (!isOn(environment, set)) continue;
    const names = Object.entries({ ...clusterVariables, USDC_MINT: mint.default(defaultMint) });
    const shape = Object.fromEntries(names.map(([name, schema]) => [`${environment}_${name}`, schema]));
    const missing = collectorMissing(`${environment}_${COLLECTOR}`, (variable) => variable in set);
    if (missing) problems.push(missing);
    const parsed = z.object(shape).safeParse(set);
    if (!parsed.success) {
      problems.push(...problemsOf(parsed.error, set));
      continue;
    }
    const value = (name: string) => (parsed.data as Record<string, unknown>)[`${environment}_${name}`];
    const collectorOf = (name: string) =>
      collectorFrom(
        `${environment}_${name}`,
        (variable) => parsed.data[variable],
        (problem) => problems.push(problem),
      );
    const collectorKey = collectorOf(COLLECTOR);
    const previousCollectorKey = collectorOf(PREVIOUS_COLLECTOR);
    if (!collectorKey) continue;
    clusters[environment] = {
      rpcUrl: value('RPC_URL') as string,
      yellowstoneUrl: value('YELLOWSTONE_URL') as string | undefined,
      yellowstoneToken: value('YELLOWSTONE_TOKEN') as string | undefined,
      defaultMint: value('USDC_MINT') as Address,
      collectorKey,
      ...(previousCollectorKey && { previousCollectorKey }),
      maxPullsPerTransaction: value('MAX_PULLS_PER_TRANSACTION') as number,
      maxPriorityFee: value('MAX_PRIORITY_FEE') as bigint,
      maxWatchedAccounts: value('MAX_WATCHED_ACCOUNTS') as number,
    };
  }
  const publicUrl = general.success ? publicUrlOf(general.data) : '';
  if (Buffer.byteLength(publicUrl) > MAX_PUBLIC_URL_BYTES) {
    problems.push(
      `PUBLIC_URL must have at most ${MAX_PUBLIC_URL_BYTES} bytes: links below it are kept on chain, where room is short`,
    );
  }
  if (!ENVIRONMENTS.some(([environment]) => isOn(environment, set))) {
    problems.push(
      'TEST_RPC_URL or LIVE_RPC_URL is missing: a cluster is needed, Devnet for tests or Mainnet',
    );
  }
  if (!general.success || problems.length > 0) throw wrong(problems);
  const { data } = general;
  return {
    databaseUrl: data.DATABASE_URL,
    ...(data.DATABASE_CONNECTIONS !== undefined && { databaseConnections: data.DATABASE_CONNECTIONS }),
    redisUrl: data.REDIS_URL,
    secretKey: data.SECRET_KEY,
    host: data.HOST,
    port: data.PORT,
    publicUrl,
    logLevel: data.LOG_LEVEL,
    clock: data.CLOCK,
    webhookHostsAllowed: data.WEBHOOK_HOSTS_ALLOWED,
    trustedProxies: data.TRUSTED_PROXIES,
    clusters,
    ...(data.METRICS_PORT !== undefined && {
      operations: { host: data.METRICS_HOST, port: data.METRICS_PORT },
    }),
    ...(data.OTEL_EXPORTER_OTLP_ENDPOINT && { tracesEndpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT }),
  };
}

const ENVIRONMENTS = [
  ['TEST', DEVNET_USDC],
  ['LIVE', MAINNET_USDC],
] as const;

/** Only our own names count: other programs have variables that begin alike. */
function isOn(environment: Environment, set: Variables): boolean {
  return Object.keys({ ...clusterVariables, USDC_MINT: mint }).some(
    (name) => `${environment}_${name}` in set,
  );
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
  const [on] = ENVIRONMENTS.filter(([environment]) => isOn(environment, set));
  if (!on) return false;
  throw wrong([
    `DATABASE_URL is missing, and ${on[0]}_ variables are set: set it to run on them, or unset them for a trial on an embedded database and network`,
  ]);
}

function publicUrlOf({
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

/** An empty variable is an unset one: that is what `NAME=` in an env file means to people. */
function variablesSet(env: Variables): Variables {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
}

function wrong(problems: readonly string[]): ConfigError {
  return new ConfigError(`The configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`);
}

// Some of these are secrets: only our own words go out, never the value.
function problemsOf(error: z.ZodError, set: Readonly<Record<string, unknown>>): string[] {
  return error.issues.map((issue) => {
    const name = issue.path.join('.');
    return `${name} ${name in set ? '' : 'is missing: '}${issue.message}`;
  });
}

/** A name or an address, with a port or without, as `URL.host` spells them. */
function isHost(text: string): boolean {
  // A URL leaves out the port that its scheme has anyway.
  return ['http', 'https'].some(
    (scheme) => URL.parse(`${scheme}://${text}`)?.href === `${scheme}://${text}/`,
  );
}

function isRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

function hostInUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
