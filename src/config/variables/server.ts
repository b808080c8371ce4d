import { z } from 'zod';
import { commaList, httpUrl, isHost, isRange, oneOf, port, secretKey, url, wholeNumber } from './kinds.ts';
import { notes } from './notes.ts';

const databaseUrl = url('postgresql://user:password@localhost:5432/dues', 'postgres', 'postgresql');

export const databaseVariables = {
  DATABASE_URL: databaseUrl.clone().register(notes, {
    text: 'PostgreSQL 15 or newer, which has all data. Without it `npm start` runs an embedded one.',
    example: 'postgresql://dues:password@localhost:5432/dues',
    mayBeFile: true,
  }),
  DIRECT_DATABASE_URL: databaseUrl.optional().register(notes, {
    text: 'If DATABASE_URL is a pooler in transaction mode (PgBouncer): the database itself, for the leader\'s lock, migrations and the queues (docs/operations.md, "Connections").',
    mayBeFile: true,
  }),
  DATABASE_CONNECTIONS: wholeNumber(1, 1_000).transform(Number).optional().register(notes, {
    text: 'Maximum connections of one process for its queries. The queues have a few more, and an API has up to five more for callers without a valid key. Eight workers fit into the default of PostgreSQL, which is 100.',
    default: '10, or 5 for a worker or an indexer without Redis',
  }),
  DATABASE_STANDBY: oneOf(['expected', 'unchecked']).default('expected').register(notes, {
    text: 'Whether commits wait for a standby of PostgreSQL (synchronous replication). If LIVE_ variables are set and they do not, dues warns at the start, and the check `standby LIVE` fails: with the machine of the database the last payments, cancellations and keys are lost, although they were confirmed. `unchecked` accepts that, or says that the storage itself is replicated.',
  }),
  RELAY_SHARDS: wholeNumber(1, 16).transform(Number).default(1).register(notes, {
    text: 'Number of shards into which merchants are divided for relaying their events (docs/scale.md). One process at a time relays each shard.',
  }),
};

export const serverVariables = {
  SECRET_KEY: secretKey.register(notes, {
    text: 'Keys derived from it hash API keys and encrypt webhook secrets: if it is lost, every merchant needs new API keys and webhook secrets.',
    mayBeFile: true,
  }),
  HOST: z.string().default('127.0.0.1').register(notes, { text: 'The address on which the API listens.' }),
  PORT: port.default(3000).register(notes, { text: 'The port on which the API listens.' }),
  PUBLIC_URL: url('https://pay.example.com', 'http', 'https').optional().register(notes, {
    text: 'The URL at which customers and merchants reach the API, at most 80 bytes.',
    default: 'http://HOST:PORT',
  }),
  STOP_DELAY_SECONDS: wholeNumber(0, 5).transform(Number).default(2).register(notes, {
    text: 'Seconds for which an API that was told to stop still answers, and says 503 at /health/ready. At least twice the interval at which your load balancer asks.',
  }),
  TRUSTED_PROXIES: commaList
    .refine(
      (ranges) => ranges.every(isRange),
      'must be IP addresses or ranges like 10.0.0.0/8, separated by commas',
    )
    .default([])
    .register(notes, {
      text: 'Your own proxies. Only their X-Forwarded-For is trusted when callers without a key are counted by address. All callers behind a proxy that is not listed count as one.',
    }),
  SIGN_UP: oneOf(['open', 'invited', 'closed']).default('invited').register(notes, {
    text: 'Which wallets may create a merchant in the browser: any wallet (open), wallets that you have invited with `dues invite <wallet>`, or none (closed; use `dues keys create`).',
  }),
  DASHBOARD_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).transform(Number).default(3_000).register(notes, {
    text: "Maximum requests of one signed-in member in a minute. They never count against the limit of the merchant's API keys.",
  }),
  LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'silent'])
    .default('info')
    .register(notes, { text: 'Log lines below this level are not written.' }),
  CLOCK: oneOf(['system', 'chain']).default('system').register(notes, {
    text: "The clock of billing: the machine's (system), or the cluster's (chain) for a local network whose time is moved.",
  }),
  EXTRA_WALLET_SCRIPT: httpUrl('http://127.0.0.1:8899/wallet.js').optional().register(notes, {
    text: 'A script with a wallet for test money that the pages load: the local network serves one. It can do everything that the user of a page may do, so it is refused if LIVE_ variables are set.',
  }),
  WEBHOOK_HOSTS_ALLOWED: commaList
    .refine(
      (hosts) => hosts.every(isHost),
      'must be hosts like localhost or 10.0.0.1:8080, in lower case, separated by commas',
    )
    .default([])
    .register(notes, {
      text: 'Hosts to which webhooks may go although they are private or plain http; for development.',
    }),
};
