import { type ClusterConfig, configuredEnvironments, readClusters } from './config/cluster-config.ts';
import { configError, problemsOf } from './config/config-error.ts';
import { type CustomerApp, readCustomerApp } from './config/customer-app.ts';
import { generalVariables, MAX_PUBLIC_URL_BYTES, publicUrlOf } from './config/general-variables.ts';
import { type MailConfig, readMailConfig } from './config/mail-config.ts';
import { readVariables } from './config/read-variables.ts';
import { type RedisConfig, readRedis } from './config/redis-config.ts';
import { type Retention, readRetention } from './config/retention.ts';
import type { Variables } from './config/variables.ts';
import type { Environment } from './generated/prisma/client.ts';

/** The login of the job queue board. */
export interface QueueBoardConfig {
  readonly user: string;
  readonly password: string;
  /** Whether the user may retry, remove and pause, or only read. */
  readonly allowsActions: boolean;
}

export interface Config extends RedisConfig {
  readonly databaseUrl: string;
  /**
   * The URL of the same database without a pooler, if `databaseUrl` is a pooler in transaction
   * mode.
   */
  readonly directDatabaseUrl?: string;
  /**
   * Maximum database connections of one process; default 10, or 5 for a worker or indexer without
   * Redis.
   */
  readonly databaseConnections?: number;
  /** Number of shards of merchants for relaying events; default 1. */
  readonly relayShards?: number;
  /** Prefix of keys and channels, for a shared Redis. */
  readonly redisPrefix?: string;
  /** 32 bytes from which the keys for API key hashes and webhook secrets are derived. */
  readonly secretKey: Uint8Array;
  readonly host: string;
  readonly port: number;
  /** Public URL of the API and the pages, without a trailing slash. */
  readonly publicUrl: string;
  readonly logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent';
  /**
   * The clock of billing: the machine's clock or, for a local network whose time can be moved, the
   * cluster's.
   */
  readonly clock: 'system' | 'chain';
  /**
   * Hosts (`name` or `name:port`) to which webhooks may go although they are private or plain http.
   */
  readonly webhookHostsAllowed: readonly string[];
  /**
   * Seconds for which an API that was told to stop still answers, so that load balancers see that it
   * is not ready; default 0.
   */
  readonly stopDelaySeconds?: number;
  /** Our own proxies (`address` or `address/bits`), whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Which wallets may create a merchant (`domain/accounts/sign-in/sign-up.ts`); default `invited`. */
  readonly signUp?: 'open' | 'invited' | 'closed';
  /** Maximum requests of one signed-in member per minute; default 3,000. */
  readonly dashboardRequestsPerMinute?: number;
  readonly clusters: Readonly<Partial<Record<Environment, ClusterConfig>>>;
  /** Address at which metrics and health are served for operators; not served if unset. */
  readonly operations?: {
    readonly host: string;
    readonly port: number;
    /** The job queue board; off without a login. */
    readonly queueBoard?: QueueBoardConfig;
  };
  /** Retention in days, if it differs from the defaults. */
  readonly retention?: Partial<Retention>;
  /** The mail server; without it no mail is sent. */
  readonly mail?: MailConfig;
  /**
   * URL of a script with a wallet for test money, which our pages load. The script can do
   * everything that the user of the page may do, so it is refused if LIVE is configured.
   */
  readonly extraWalletScript?: string;
  /** The app for customers; default an app with the scheme `dues`. */
  readonly customerApp?: CustomerApp;
  /** An OpenTelemetry collector for traces (OTLP over HTTP); no tracing if unset. */
  readonly tracesEndpoint?: string;
}

/**
 * Reads the configuration from environment variables (`.env.example` lists them). An environment is
 * configured if one of its variables is set.
 *
 * @throws ConfigError that lists every wrong variable
 */
export function configFromEnv(env: Variables): Config {
  const set = readVariables(env);
  const problems: string[] = [];
  const general = generalVariables.safeParse(set);
  if (!general.success) problems.push(...problemsOf(general.error, set));
  const redis = readRedis(set, problems);
  const mail = general.success ? readMailConfig(general.data, problems) : undefined;
  const clusters = readClusters(set, problems);
  const publicUrl = general.success ? publicUrlOf(general.data) : '';
  if (Buffer.byteLength(publicUrl) > MAX_PUBLIC_URL_BYTES) {
    problems.push(
      `PUBLIC_URL must have at most ${MAX_PUBLIC_URL_BYTES} bytes: links below it are stored on chain, where space is limited`,
    );
  }
  if (configuredEnvironments(set).length === 0) {
    problems.push(
      'TEST_RPC_URL or LIVE_RPC_URL is missing: a cluster is needed, Devnet for tests or Mainnet',
    );
  }
  if (general.data?.QUEUE_BOARD_PASSWORD && general.data.METRICS_PORT === undefined) {
    problems.push('QUEUE_BOARD_PASSWORD needs METRICS_PORT: the board is served on that port');
  }
  if (general.data?.EXTRA_WALLET_SCRIPT && configuredEnvironments(set).includes('LIVE')) {
    problems.push(
      'EXTRA_WALLET_SCRIPT must not be set where LIVE_ variables are: the script runs in the pages of real money',
    );
  }
  const customerApp = general.success ? readCustomerApp(general.data, problems) : undefined;
  if (!general.success || problems.length > 0) throw configError(problems);
  const { data } = general;
  const retention = readRetention(data);
  return {
    databaseUrl: data.DATABASE_URL,
    ...(data.DIRECT_DATABASE_URL && { directDatabaseUrl: data.DIRECT_DATABASE_URL }),
    ...(data.DATABASE_CONNECTIONS !== undefined && { databaseConnections: data.DATABASE_CONNECTIONS }),
    ...(data.RELAY_SHARDS !== undefined && { relayShards: data.RELAY_SHARDS }),
    ...redis,
    ...(data.SIGN_UP && { signUp: data.SIGN_UP }),
    ...(data.DASHBOARD_REQUESTS_PER_MINUTE !== undefined && {
      dashboardRequestsPerMinute: data.DASHBOARD_REQUESTS_PER_MINUTE,
    }),
    ...(data.REDIS_PREFIX && { redisPrefix: data.REDIS_PREFIX }),
    secretKey: data.SECRET_KEY,
    host: data.HOST,
    port: data.PORT,
    publicUrl,
    logLevel: data.LOG_LEVEL,
    clock: data.CLOCK,
    webhookHostsAllowed: data.WEBHOOK_HOSTS_ALLOWED,
    trustedProxies: data.TRUSTED_PROXIES,
    stopDelaySeconds: data.STOP_DELAY_SECONDS,
    clusters,
    ...(data.METRICS_PORT !== undefined && {
      operations: {
        host: data.METRICS_HOST,
        port: data.METRICS_PORT,
        ...(data.QUEUE_BOARD_PASSWORD && {
          queueBoard: {
            user: data.QUEUE_BOARD_USER,
            password: data.QUEUE_BOARD_PASSWORD,
            allowsActions: data.QUEUE_BOARD_ACTIONS === 'on',
          },
        }),
      },
    }),
    ...(retention && { retention }),
    ...(mail && { mail }),
    ...(customerApp && { customerApp }),
    ...(data.EXTRA_WALLET_SCRIPT && { extraWalletScript: data.EXTRA_WALLET_SCRIPT }),
    ...(data.OTEL_EXPORTER_OTLP_ENDPOINT && { tracesEndpoint: data.OTEL_EXPORTER_OTLP_ENDPOINT }),
  };
}
