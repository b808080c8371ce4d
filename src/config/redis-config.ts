// Redis is configured in one of three alternatives: one server by its URL, a cluster by some of its
// nodes, or a server behind sentinels.
import type { z } from 'zod';
import type { VariableReader } from './variable-reader.ts';
import type { HostPort } from './variables/kinds.ts';
import { redisVariables } from './variables/redis.ts';

interface Login {
  readonly username?: string;
  readonly password?: string;
}

/** A Redis cluster or a server behind sentinels. The login and TLS apply to the servers. */
export type RedisNodes = Login & { readonly tls: boolean } & (
    | { readonly kind: 'cluster'; readonly nodes: readonly HostPort[] }
    | {
        readonly kind: 'sentinel';
        readonly sentinels: readonly HostPort[];
        /** The name by which the sentinels know the server. */
        readonly name: string;
        /** The login for the sentinels themselves. */
        readonly login: Login;
      }
  );

export type RedisStore = { readonly kind: 'server'; readonly url: string } | RedisNodes;

export interface RedisConfig {
  /**
   * One server. Without any Redis, queues and limits use PostgreSQL, and live updates work on one
   * machine only.
   */
  readonly redisUrl: string | undefined;
  /** A cluster or sentinels, instead of one server. */
  readonly redisNodes?: RedisNodes;
  /** Prefix of keys and channels, for a shared Redis. */
  readonly redisPrefix?: string;
}

/** The configured Redis, if any. */
export function redisOf({ redisUrl, redisNodes }: RedisConfig): RedisStore | undefined {
  return redisUrl === undefined ? redisNodes : { kind: 'server', url: redisUrl };
}

type RedisValues = z.output<z.ZodObject<typeof redisVariables>>;

const ALTERNATIVES = ['REDIS_URL', 'REDIS_CLUSTER_NODES', 'REDIS_SENTINELS'] as const;
const SENTINEL_VARIABLES = [
  'REDIS_SENTINEL_NAME',
  'REDIS_SENTINEL_USERNAME',
  'REDIS_SENTINEL_PASSWORD',
] as const;
const NODE_VARIABLES = ['REDIS_USERNAME', 'REDIS_PASSWORD', 'REDIS_TLS'] as const;

/** Reads the location of Redis; undefined if a variable is wrong. */
export function readRedis(reader: VariableReader): RedisConfig | undefined {
  const values = reader.read(redisVariables);
  if (!values) return undefined;
  for (const conflict of findConflicts(values)) reader.report(conflict);
  const redisNodes = nodesOf(values);
  return {
    redisUrl: values.REDIS_URL,
    ...(redisNodes && { redisNodes }),
    ...(values.REDIS_PREFIX && { redisPrefix: values.REDIS_PREFIX }),
  };
}

function findConflicts(data: RedisValues): string[] {
  const problems: string[] = [];
  const alternatives = ALTERNATIVES.filter((name) => data[name] !== undefined);
  if (alternatives.length > 1) problems.push(`${alternatives.join(' and ')} are set: set only one of them`);
  if (data.REDIS_SENTINELS && data.REDIS_SENTINEL_NAME === undefined) {
    problems.push(
      'REDIS_SENTINEL_NAME is missing: it is the name by which the sentinels know the server, like mymaster',
    );
  }
  for (const name of SENTINEL_VARIABLES) {
    if (data[name] !== undefined && !data.REDIS_SENTINELS) problems.push(`${name} needs REDIS_SENTINELS`);
  }
  for (const name of NODE_VARIABLES) {
    if (data[name] === undefined || data.REDIS_CLUSTER_NODES || data.REDIS_SENTINELS) continue;
    problems.push(`${name} needs REDIS_CLUSTER_NODES or REDIS_SENTINELS: a REDIS_URL contains it`);
  }
  return problems;
}

function nodesOf(data: RedisValues): RedisNodes | undefined {
  const login = { ...loginOf(data.REDIS_USERNAME, data.REDIS_PASSWORD), tls: data.REDIS_TLS === 'on' };
  if (data.REDIS_CLUSTER_NODES) return { kind: 'cluster', nodes: data.REDIS_CLUSTER_NODES, ...login };
  if (!data.REDIS_SENTINELS) return undefined;
  return {
    kind: 'sentinel',
    sentinels: data.REDIS_SENTINELS,
    name: data.REDIS_SENTINEL_NAME ?? '',
    login: loginOf(data.REDIS_SENTINEL_USERNAME, data.REDIS_SENTINEL_PASSWORD),
    ...login,
  };
}

function loginOf(username: string | undefined, password: string | undefined): Login {
  return { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
}
