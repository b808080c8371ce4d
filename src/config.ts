import { type ClusterConfig, clustersFrom, environmentsOn } from './config/cluster-config.ts';
import { problemsOf, wrong } from './config/config-error.ts';
import { MAX_PUBLIC_URL_BYTES, publicUrlOf, variables } from './config/general-variables.ts';
import { type Variables, variablesSet } from './config/variables-set.ts';
import type { Environment } from './generated/prisma/client.ts';

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
  const clusters = clustersFrom(set, problems);
  const publicUrl = general.success ? publicUrlOf(general.data) : '';
  if (Buffer.byteLength(publicUrl) > MAX_PUBLIC_URL_BYTES) {
    problems.push(
      `PUBLIC_URL must have at most ${MAX_PUBLIC_URL_BYTES} bytes: links below it are kept on chain, where room is short`,
    );
  }
  if (environmentsOn(set).length === 0) {
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
