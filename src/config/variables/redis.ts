import { z } from 'zod';
import { hostPorts, oneOf, url } from './kinds.ts';
import { notes } from './notes.ts';

const text = () => z.string().optional();

/** One server by its URL, a cluster by some of its nodes, or a server behind sentinels. */
export const redisVariables = {
  REDIS_URL: url('redis://localhost:6379', 'redis', 'rediss').optional().register(notes, {
    text: 'Redis 7 or newer, for more than one machine: queues, live updates, rate limits. Without it these use PostgreSQL, on one machine. While Redis is down the API serves requests without rate limits, and workers collect nothing. Its maxmemory-policy must be noeviction. The URL has login and TLS: rediss://user:password@host:6379.',
    mayBeFile: true,
  }),
  REDIS_CLUSTER_NODES: hostPorts.optional().register(notes, {
    text: 'Instead of REDIS_URL: some nodes of a Redis Cluster; the others are discovered.',
  }),
  REDIS_SENTINELS: hostPorts.optional().register(notes, { text: 'Instead of REDIS_URL: sentinels.' }),
  REDIS_SENTINEL_NAME: text().register(notes, {
    text: 'The name by which the sentinels know the server, like mymaster.',
  }),
  REDIS_SENTINEL_USERNAME: text().register(notes, { text: 'The login of the sentinels themselves.' }),
  REDIS_SENTINEL_PASSWORD: text().register(notes, {
    text: 'The password of the sentinels themselves.',
    mayBeFile: true,
  }),
  REDIS_USERNAME: text().register(notes, {
    text: 'The login of the servers, with REDIS_CLUSTER_NODES or REDIS_SENTINELS.',
  }),
  REDIS_PASSWORD: text().register(notes, {
    text: 'The password of the servers, with REDIS_CLUSTER_NODES or REDIS_SENTINELS.',
    mayBeFile: true,
  }),
  REDIS_TLS: oneOf(['off', 'on']).optional().register(notes, {
    text: 'Whether servers and sentinels use TLS, with REDIS_CLUSTER_NODES or REDIS_SENTINELS.',
    default: 'off',
  }),
  REDIS_PREFIX: z
    .string()
    .regex(/^[\w.{}-]{1,64}$/, 'must be 1 to 64 letters, digits, _ . - or braces')
    .optional()
    .register(notes, {
      text: 'Prefix of keys and channels, if other programs, or another dues, use the same Redis.',
    }),
};
