import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { METADATA_URI_BYTES } from '../../src/chain/transactions/program-additions.ts';
import { COLLECTING_DEFAULTS } from '../../src/config/cluster-config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { databaseFromEnv, isConfigured } from '../../src/config/part-from-env.ts';
import { assertCanSign } from '../../src/config/signing-roles.ts';
import { DEVNET_USDC } from '../../src/config/variables/cluster.ts';
import { configFromEnv, MAX_PUBLIC_URL_BYTES } from '../../src/config.ts';
import { planMetadataUri } from '../../src/domain/catalog/plan/public-plan.ts';

const SECRET = 'correct-horse-battery';
const KEY_BYTES = await newKeyPairBytes();
const OTHER_BYTES = await newKeyPairBytes();
const THIRD_BYTES = await newKeyPairBytes();
const COLLECTOR_ADDRESS = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU';
const KEY_PAIR = JSON.stringify([...KEY_BYTES]);
const GOOD = {
  DATABASE_URL: 'postgresql://dues@localhost/dues',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  TEST_RPC_URL: 'https://api.devnet.solana.com',
  TEST_COLLECTOR_KEY: KEY_PAIR,
};

describe('configFromEnv', () => {
  it('has defaults for optional variables', () => {
    const { secretKey, clusters, ...rest } = configFromEnv(GOOD);
    expect(rest).toEqual({
      databaseUrl: GOOD.DATABASE_URL,
      redisUrl: undefined,
      host: '127.0.0.1',
      port: 3000,
      publicUrl: 'http://127.0.0.1:3000',
      logLevel: 'info',
      clock: 'system',
      webhookHostsAllowed: [],
      trustedProxies: [],
      stopDelaySeconds: 2,
      databaseStandby: 'expected',
      relayShards: 1,
      signUp: 'invited',
      dashboardRequestsPerMinute: 3_000,
    });
    expect(secretKey).toEqual(Uint8Array.from(Buffer.alloc(32, 7)));
    expect(clusters).toEqual({
      TEST: {
        rpcUrl: GOOD.TEST_RPC_URL,
        defaultMint: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
        collectorKey: KEY_BYTES,
        ...COLLECTING_DEFAULTS,
      },
    });
  });

  it('reads a cluster of Redis, and sentinels', () => {
    const login = { REDIS_USERNAME: 'dues', REDIS_PASSWORD: SECRET };
    expect(
      configFromEnv({ ...GOOD, ...login, REDIS_CLUSTER_NODES: 'one:6379, [::1]:6380', REDIS_TLS: 'on' }),
    ).toMatchObject({
      redisUrl: undefined,
      redisNodes: {
        kind: 'cluster',
        nodes: [
          { host: 'one', port: 6379 },
          { host: '::1', port: 6380 },
        ],
        username: 'dues',
        password: SECRET,
        tls: true,
      },
    });
    expect(
      configFromEnv({ ...GOOD, REDIS_SENTINELS: 'one:26379', REDIS_SENTINEL_NAME: 'mymaster' }).redisNodes,
    ).toEqual({
      kind: 'sentinel',
      sentinels: [{ host: 'one', port: 26379 }],
      name: 'mymaster',
      login: {},
      tls: false,
    });
  });

  it.each<readonly [Record<string, string>, RegExp]>([
    [{ REDIS_URL: 'redis://one', REDIS_CLUSTER_NODES: 'one:1' }, /set only one of them/],
    [{ REDIS_CLUSTER_NODES: 'one:1', REDIS_SENTINELS: 'one:1' }, /set only one of them/],
    [{ REDIS_SENTINELS: 'one:1' }, /REDIS_SENTINEL_NAME is missing/],
    [{ REDIS_SENTINEL_NAME: 'mymaster' }, /REDIS_SENTINEL_NAME needs REDIS_SENTINELS/],
    [{ REDIS_URL: 'redis://one', REDIS_PASSWORD: SECRET }, /REDIS_PASSWORD needs REDIS_CLUSTER_NODES or/],
    [{ REDIS_TLS: 'on' }, /REDIS_TLS needs/],
    [{ REDIS_CLUSTER_NODES: 'one:1', REDIS_TLS: 'yes' }, /REDIS_TLS must be one of off, on/],
    ...['one', 'one:0', 'one:70000', 'redis://one:1', 'one:1,two', ',', 'a b:1', `${SECRET}@one:1`].map(
      (nodes) =>
        [
          { REDIS_CLUSTER_NODES: nodes },
          /REDIS_CLUSTER_NODES must be 1 to 100 nodes like host:port/,
        ] as const,
    ),
    [
      { REDIS_CLUSTER_NODES: Array.from({ length: 101 }, (_, index) => `n${index}:1`).join(',') },
      /REDIS_CLUSTER_NODES must be 1 to 100 nodes/,
    ],
  ])('refuses the Redis configuration %j', (variables, message) => {
    const refused = (() => {
      try {
        return configFromEnv({ ...GOOD, ...variables });
      } catch (error) {
        return error as Error;
      }
    })();
    expect(refused).toBeInstanceOf(ConfigError);
    expect((refused as Error).message).toMatch(message);
    expect((refused as Error).message).not.toContain(SECRET);
  });

  it.each([
    ['REDIS_URL', 'rediss://cache:6380', { redisUrl: 'rediss://cache:6380' }],
    ['REDIS_URL', '', { redisUrl: undefined }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0', publicUrl: 'http://0.0.0.0:3000' }],
    ['HOST', '::1', { host: '::1', publicUrl: 'http://[::1]:3000' }],
    ['PORT', '8080', { port: 8080, publicUrl: 'http://127.0.0.1:8080' }],
    ['PUBLIC_URL', 'https://pay.example.com/', { publicUrl: 'https://pay.example.com' }],
    ['LOG_LEVEL', 'debug', { logLevel: 'debug' }],
    ['CLOCK', 'chain', { clock: 'chain' }],
    [
      'WEBHOOK_HOSTS_ALLOWED',
      ' localhost, 10.0.0.1:8080,',
      { webhookHostsAllowed: ['localhost', '10.0.0.1:8080'] },
    ],
    ['DATABASE_CONNECTIONS', '25', { databaseConnections: 25 }],
    ['DATABASE_STANDBY', 'unchecked', { databaseStandby: 'unchecked' }],
    ['RELAY_SHARDS', '16', { relayShards: 16 }],
    ['SIGN_UP', 'open', { signUp: 'open' }],
    ['DASHBOARD_REQUESTS_PER_MINUTE', '10', { dashboardRequestsPerMinute: 10 }],
    [
      'TEST_EXPLORER_URL',
      'https://x.example/{path}',
      { clusters: { TEST: { explorerUrl: 'https://x.example/{path}' } } },
    ],
    [
      'TEST_ASSETS',
      JSON.stringify([{ mint: DEVNET_USDC, symbol: 'USDC', name: 'USD Coin' }]),
      { clusters: { TEST: { assets: [{ mint: DEVNET_USDC, symbol: 'USDC', name: 'USD Coin' }] } } },
    ],
    ['TRUSTED_PROXIES', '10.0.0.0/8, fd00::1', { trustedProxies: ['10.0.0.0/8', 'fd00::1'] }],
  ])('accepts %s=%s', (name, value, expected) => {
    expect(configFromEnv({ ...GOOD, [name]: value })).toMatchObject(expected);
  });

  it('reads several nodes of a cluster, and those for sending and for strangers', () => {
    const nodes = {
      TEST_RPC_URL: 'https://a.example.com/?key=1, https://b.example.com',
      TEST_RPC_REQUESTS_PER_SECOND: '50',
      TEST_SEND_RPC_URL: 'https://send.example.com',
      TEST_PUBLIC_RPC_URL: 'https://public.example.com',
      TEST_PUBLIC_RPC_REQUESTS_PER_SECOND: '5',
    };
    expect(configFromEnv({ ...GOOD, ...nodes }).clusters.TEST).toMatchObject({
      rpcUrl: 'https://a.example.com/?key=1',
      moreRpcUrls: ['https://b.example.com'],
      rpcRequestsPerSecond: 50,
      sendRpcUrls: ['https://send.example.com'],
      publicRpcUrls: ['https://public.example.com'],
      publicRpcRequestsPerSecond: 5,
    });
  });

  it('has every environment for which a variable is set', () => {
    const { TEST_RPC_URL, TEST_COLLECTOR_KEY, ...general } = GOOD;
    const live = { LIVE_RPC_URL: TEST_RPC_URL, LIVE_COLLECTOR_KEY: TEST_COLLECTOR_KEY };
    expect(Object.keys(configFromEnv({ ...general, ...live }).clusters)).toEqual(['LIVE']);
    expect(Object.keys(configFromEnv({ ...GOOD, ...live }).clusters)).toEqual(['TEST', 'LIVE']);
    const yellowstone = {
      TEST_YELLOWSTONE_URL: 'https://stream.example.com',
      TEST_YELLOWSTONE_TOKEN: SECRET,
    };
    expect(configFromEnv({ ...GOOD, ...yellowstone }).clusters.TEST).toMatchObject({
      yellowstoneUrl: yellowstone.TEST_YELLOWSTONE_URL,
      yellowstoneToken: SECRET,
    });
  });

  it.each([
    ['DATABASE_URL', `mysql://${SECRET}@localhost/dues`],
    ['DATABASE_URL', SECRET],
    ['DATABASE_URL', undefined],
    ['DATABASE_URL', ''],
    ['REDIS_URL', `http://:${SECRET}@localhost`],
    ['SECRET_KEY', SECRET],
    ['SECRET_KEY', Buffer.from(SECRET).toString('base64')],
    ['SECRET_KEY', undefined],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', SECRET],
    ['PUBLIC_URL', 'pay.example.com'],
    ['METRICS_PORT', SECRET],
    ['DATABASE_CONNECTIONS', '0'],
    ['RELAY_SHARDS', '0'],
    ['RELAY_SHARDS', '17'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', SECRET],
    ['EXTRA_WALLET_SCRIPT', `javascript:${SECRET}`],
    ['EXTRA_WALLET_SCRIPT', `https://user:${SECRET}@shop.example/wallet.js`],
    ['LOG_LEVEL', 'loud'],
    ['CLOCK', 'sundial'],
    ['TEST_RPC_URL', `wss://rpc.example.com/${SECRET}`],
    ['TEST_RPC_URL', undefined],
    ['TEST_RPC_URL', `https://a.example.com/${SECRET},`],
    ['TEST_RPC_URL', `https://a.example.com/${SECRET},ftp://b.example.com/${SECRET}`],
    ['TEST_RPC_URL', `https://a.example.com/${SECRET},https://a.example.com/${SECRET}`],
    ['TEST_RPC_URL', Array.from({ length: 9 }, (_, n) => `https://a.example.com/${SECRET}/${n}`).join()],
    ['TEST_RPC_REQUESTS_PER_SECOND', '0'],
    ['TEST_SEND_RPC_URL', SECRET],
    ['TEST_PUBLIC_RPC_URL', `https://${SECRET}:${SECRET}@a.example.com`],
    ['TEST_PUBLIC_RPC_REQUESTS_PER_SECOND', '-1'],
    ['TEST_YELLOWSTONE_URL', SECRET],
    ['TEST_USDC_MINT', SECRET],
    ['TEST_MAX_PULLS_PER_TRANSACTION', '20'],
    ['TEST_MAX_PULLS_PER_TRANSACTION', SECRET],
    ['TEST_MAX_PRIORITY_FEE', '-1'],
    ['TEST_MIN_PRIORITY_FEE', '50001'],
    ['TEST_EXPLORER_URL', 'https://x.example'],
    ['SIGN_UP', SECRET],
    ['TEST_EXPLORER_URL', 'ftp://x.example/{path}'],
    ['TEST_ASSETS', SECRET],
    ['TEST_ASSETS', '[{"mint":"x","symbol":"X","name":"X"}]'],
    ['TEST_ASSETS', JSON.stringify(Array(2).fill({ mint: DEVNET_USDC, symbol: 'X', name: 'X' }))],
    ['TEST_COLLECTOR_KEY', undefined],
    ['TEST_COLLECTOR_KEY', `["${SECRET}"]`],
    ['TEST_COLLECTOR_KEY', SECRET],
    ['TEST_COLLECTOR_KEY', JSON.stringify(Array.from({ length: 32 }, () => 1))],
    ['TEST_COLLECTOR_KEY', JSON.stringify(Array.from({ length: 64 }, () => 256))],
    ['LIVE_RPC_URL', 'https://api.mainnet-beta.solana.com', 'LIVE_COLLECTOR_KEY'],
  ])('refuses %s=%s', (name, value, named = name) => {
    const message = readErrorMessage({ ...GOOD, [name]: value });
    expect(message.split('\n')).toHaveLength(2);
    expect(message).toContain(`  ${named} `);
    expect(message).not.toContain(SECRET);
    if (!value) expect(message).toMatch(/ is missing: (it )?must be /);
  });

  it.each<readonly [string, string, string]>([
    ['TEST_RPC_URL', `https://dues:${SECRET}@127.0.0.1:9/`, 'must have no user name and no password'],
    ['LIVE_RPC_URL', `https://dues:${SECRET}@127.0.0.1:9/`, 'must have no user name and no password'],
    ['WEBHOOK_HOSTS_ALLOWED', 'http://localhost', 'must be hosts'],
    ['TRUSTED_PROXIES', '10.0.0.0/8, the proxy', 'must be'],
    ['LOG_LEVEL', 'loud', 'must be one of fatal, error'],
    ...['TEST_COLLECTOR_KEY', 'TEST_COLLECTOR_PREVIOUS_KEY'].flatMap((name) =>
      [
        [...KEY_BYTES.slice(0, 32), ...OTHER_BYTES.slice(32)],
        Array<number>(64).fill(0),
        [...KEY_BYTES.slice(1)],
      ].map((key) => [name, JSON.stringify(key), 'must be the contents of a key file'] as const),
    ),
  ])('reports the requirement of %s without its value', (name, value, requirement) => {
    const message = readErrorMessage({ ...GOOD, [name]: value });
    expect(message).toContain(`${name} ${requirement}`);
    expect(message).not.toContain(SECRET);
    if (value.startsWith('[')) expect(message).not.toContain(value.slice(1, 12));
  });

  describe('the collector key', () => {
    const { TEST_COLLECTOR_KEY: _, ...WITHOUT } = GOOD;
    const OTHER = JSON.stringify([...OTHER_BYTES]);
    const bytes = (text: string) => Uint8Array.from(JSON.parse(text));
    let folder: string;
    let file: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dues-config-'));
      file = join(folder, 'collector.json');
      await writeFile(file, `${OTHER}\n`);
      await writeFile(join(folder, 'bad.json'), SECRET);
    });
    afterAll(() => rm(folder, { recursive: true }));

    it('is a key file, or a signer with or without a token', () => {
      const collector = (env: object) => configFromEnv({ ...WITHOUT, ...env }).clusters.TEST?.collectorKey;
      expect(collector({ TEST_COLLECTOR_KEY_FILE: file })).toEqual(bytes(OTHER));
      const url = 'https://signer.example.com/test';
      expect(collector({ TEST_COLLECTOR_SIGNER_URL: url })).toEqual({ url, token: undefined });
      expect(collector({ TEST_COLLECTOR_SIGNER_URL: url, TEST_COLLECTOR_SIGNER_TOKEN: SECRET })).toEqual({
        url,
        token: SECRET,
      });
    });

    it('may be only an address, for roles that do not sign', () => {
      const config = configFromEnv({ ...WITHOUT, TEST_COLLECTOR_ADDRESS: COLLECTOR_ADDRESS });
      expect(config.clusters.TEST?.collectorKey).toEqual({ address: COLLECTOR_ADDRESS });
      expect(() => assertCanSign(config, ['api'])).not.toThrow();
      expect(() => assertCanSign(config, ['indexer'])).not.toThrow();
      expect(() => assertCanSign(config, ['worker'])).toThrow('TEST_COLLECTOR_ADDRESS is not enough');
      const sponsoring = {
        ...WITHOUT,
        TEST_COLLECTOR_ADDRESS: COLLECTOR_ADDRESS,
        TEST_MAX_SPONSORED_LAMPORTS_PER_DAY: '1',
      };
      expect(() => assertCanSign(configFromEnv(sponsoring), ['api'])).toThrow('is not enough');
      expect(() => assertCanSign(configFromEnv(GOOD), ['api', 'indexer', 'worker'])).not.toThrow();
    });

    it('may have a previous key beside it', () => {
      const { TEST } = configFromEnv({ ...GOOD, TEST_COLLECTOR_PREVIOUS_KEY_FILE: file }).clusters;
      expect(TEST).toMatchObject({ collectorKey: bytes(KEY_PAIR), previousCollectorKey: bytes(OTHER) });
    });

    it.each([
      [
        { TEST_COLLECTOR_KEY_FILE: 'nowhere.json' },
        'TEST_COLLECTOR_KEY_FILE must be the path of a file with TEST_COLLECTOR_KEY: it cannot be read (ENOENT)',
      ],
      [
        { TEST_COLLECTOR_KEY_FILE: 'bad.json' },
        'TEST_COLLECTOR_KEY_FILE has a wrong TEST_COLLECTOR_KEY: it must be the contents of a key file',
      ],
      [{ TEST_COLLECTOR_SIGNER_URL: SECRET }, 'TEST_COLLECTOR_SIGNER_URL must be the URL of a signer'],
      [{ TEST_COLLECTOR_SIGNER_URL: 'ftp://x' }, 'TEST_COLLECTOR_SIGNER_URL must be the URL of a signer'],
      [
        { TEST_COLLECTOR_KEY: KEY_PAIR, TEST_COLLECTOR_SIGNER_URL: 'https://x.example' },
        'TEST_COLLECTOR_SIGNER_URL conflicts with TEST_COLLECTOR_KEY',
      ],
      [
        { TEST_COLLECTOR_KEY: KEY_PAIR, TEST_COLLECTOR_SIGNER_TOKEN: SECRET },
        'TEST_COLLECTOR_SIGNER_TOKEN has no effect',
      ],
      [{ TEST_COLLECTOR_ADDRESS: 'mine' }, "TEST_COLLECTOR_ADDRESS must be the collector's address"],
      [
        {
          TEST_COLLECTOR_KEY: KEY_PAIR,
          TEST_COLLECTOR_ADDRESS: COLLECTOR_ADDRESS,
        },
        `TEST_COLLECTOR_ADDRESS is ${COLLECTOR_ADDRESS}, but the key in TEST_COLLECTOR_KEY has`,
      ],
      [{ TEST_COLLECTOR_PREVIOUS_KEY: KEY_PAIR }, 'TEST_COLLECTOR_KEY is missing'],
      [{}, 'TEST_COLLECTOR_KEY is missing'],
    ])('is refused in one line: %o', (env, problem) => {
      const inFolder = Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          name.endsWith('_FILE') ? join(folder, value as string) : (value as string),
        ]),
      );
      const message = readErrorMessage({ ...WITHOUT, ...inFolder });
      expect(message.split('\n')).toHaveLength(2);
      expect(message).toContain(problem);
      expect(message).not.toContain(SECRET);
    });
  });

  describe('fee payers', () => {
    const OTHER = JSON.stringify([...OTHER_BYTES]);
    const THIRD = JSON.stringify([...THIRD_BYTES]);
    const bytes = (text: string) => Uint8Array.from(JSON.parse(text) as number[]);
    const payersOf = (text: string) =>
      configFromEnv({ ...GOOD, TEST_FEE_PAYER_KEYS: text }).clusters.TEST?.feePayerKeys;

    it.each([
      ['one key', OTHER, [OTHER]],
      ['key files one after the other, as cat writes them', `${OTHER}${THIRD}`, [OTHER, THIRD]],
      ['one key a line', `${OTHER}\n${THIRD}\n`, [OTHER, THIRD]],
    ])('may be %s', (_, text, expected) => {
      expect(payersOf(text)).toEqual(expected.map(bytes));
    });

    it('are none without a key, and then have no effect', () => {
      expect(configFromEnv(GOOD).clusters.TEST?.feePayerKeys).toBeUndefined();
    });

    it.each([
      ['that of no key', `[${SECRET}]`, 'must be the contents of 1 to 8 key files'],
      ['a key and something else', `${OTHER} ${SECRET}`, 'must be the contents of 1 to 8 key files'],
      ['one key twice', `${OTHER}${OTHER}`, 'must be the contents of 1 to 8 key files'],
      ['the collector’s key', KEY_PAIR, 'must not have the key of a collector'],
    ])('are refused with %s', (_, text, problem) => {
      const message = readErrorMessage({ ...GOOD, TEST_FEE_PAYER_KEYS: text });
      expect(message.split('\n')).toHaveLength(2);
      expect(message).toContain(`TEST_FEE_PAYER_KEYS ${problem}`);
      expect(message).not.toContain(SECRET);
    });

    it('are at most eight', async () => {
      const keys = await Promise.all(Array.from({ length: 9 }, newKeyPairBytes));
      const text = (count: number) =>
        keys
          .slice(0, count)
          .map((key) => JSON.stringify([...key]))
          .join('');
      expect(payersOf(text(8))).toHaveLength(8);
      expect(() => payersOf(text(9))).toThrow('TEST_FEE_PAYER_KEYS must be the contents of 1 to 8 key files');
    });
  });

  describe('a variable in a file', () => {
    const { SECRET_KEY, DATABASE_URL, ...WITHOUT } = GOOD;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'dues-config-'));
      await writeFile(join(folder, 'secret-key'), `${SECRET_KEY}\n`);
      await writeFile(join(folder, 'database-url'), DATABASE_URL);
      await writeFile(join(folder, 'node'), `https://rpc.example.com/${SECRET}\n`);
      await writeFile(join(folder, 'collector-address'), `${COLLECTOR_ADDRESS}\n`);
      await writeFile(join(folder, 'empty'), '\n');
    });
    afterAll(() => rm(folder, { recursive: true }));

    it('is read for every part of the configuration', () => {
      const files = {
        SECRET_KEY_FILE: join(folder, 'secret-key'),
        DATABASE_URL_FILE: join(folder, 'database-url'),
        TEST_RPC_URL_FILE: join(folder, 'node'),
      };
      const { TEST_RPC_URL: _, ...others } = WITHOUT;
      const config = configFromEnv({ ...others, ...files });
      expect(config.secretKey).toEqual(Uint8Array.from(Buffer.alloc(32, 7)));
      expect(config.databaseUrl).toBe(DATABASE_URL);
      expect(config.clusters.TEST?.rpcUrl).toBe(`https://rpc.example.com/${SECRET}`);
      expect(isConfigured(files)).toBe(true);
      expect(databaseFromEnv(files)).toEqual({ databaseUrl: DATABASE_URL });
    });

    it("may be the collector's address", () => {
      const { TEST_COLLECTOR_KEY: _, ...others } = GOOD;
      const { TEST } = configFromEnv({
        ...others,
        TEST_COLLECTOR_ADDRESS_FILE: join(folder, 'collector-address'),
      }).clusters;
      expect(TEST?.collectorKey).toEqual({ address: COLLECTOR_ADDRESS });
    });

    it('of another program is ignored', () => {
      const foreign = { POSTGRES_PASSWORD_FILE: join(folder, 'missing'), PORT_FILE: join(folder, 'missing') };
      expect(configFromEnv({ ...GOOD, ...foreign })).toEqual(configFromEnv(GOOD));
    });

    it.each([
      ['missing', {}, 'must be the path of a file with SECRET_KEY: it cannot be read (ENOENT)'],
      ['empty', {}, 'must be the path of a file with SECRET_KEY: the file is empty'],
      ['secret-key', { SECRET_KEY: SECRET }, 'conflicts with SECRET_KEY'],
    ])('is refused in one line: file %s with variables %o', (name, env, problem) => {
      const message = readErrorMessage({
        ...WITHOUT,
        DATABASE_URL,
        ...env,
        SECRET_KEY_FILE: join(folder, name),
      });
      expect(message.split('\n')).toHaveLength(2);
      expect(message).toContain(`SECRET_KEY_FILE ${problem}`);
      expect(message).not.toContain(SECRET);
    });
  });

  it('serves operators only on this machine by default, and exports traces', () => {
    expect(configFromEnv({ ...GOOD, METRICS_PORT: '9464' }).operations).toEqual({
      host: '127.0.0.1',
      port: 9464,
    });
    expect(configFromEnv({ ...GOOD, METRICS_PORT: '0', METRICS_HOST: '::' }).operations).toEqual({
      host: '::',
      port: 0,
    });
    const OTEL_EXPORTER_OTLP_ENDPOINT = 'http://localhost:4318';
    expect(configFromEnv({ ...GOOD, OTEL_EXPORTER_OTLP_ENDPOINT }).tracesEndpoint).toBe(
      OTEL_EXPORTER_OTLP_ENDPOINT,
    );
  });

  it('shows the queue board only with password and port, without actions', () => {
    const board = { METRICS_PORT: '9464', QUEUE_BOARD_PASSWORD: 'twelve chars' };
    expect(configFromEnv({ ...GOOD, ...board }).operations?.queueBoard).toEqual({
      user: 'operator',
      password: 'twelve chars',
      allowsActions: false,
    });
    const actions = { ...board, QUEUE_BOARD_USER: 'anna', QUEUE_BOARD_ACTIONS: 'on' };
    expect(configFromEnv({ ...GOOD, ...actions }).operations?.queueBoard).toMatchObject({
      user: 'anna',
      allowsActions: true,
    });
    expect(configFromEnv({ ...GOOD, METRICS_PORT: '9464' }).operations?.queueBoard).toBeUndefined();
    expect(readErrorMessage({ ...GOOD, ...board, METRICS_PORT: undefined })).toContain('METRICS_PORT');
    expect(readErrorMessage({ ...GOOD, ...board, QUEUE_BOARD_PASSWORD: 'too short' })).toContain(
      '12 characters',
    );
  });

  it('ignores variables of other programs', () => {
    const foreign = { LIVE_RELOAD: '1', TEST_DATABASE_URL: SECRET, TEST_X: '', LIVE_: 'x' };
    expect(configFromEnv({ ...GOOD, ...foreign }).clusters).toEqual(configFromEnv(GOOD).clusters);
  });

  it('accepts a wallet script for test money, and refuses it beside real money', () => {
    const EXTRA_WALLET_SCRIPT = 'http://127.0.0.1:8899/wallet.js';
    expect(configFromEnv({ ...GOOD, EXTRA_WALLET_SCRIPT }).extraWalletScript).toBe(EXTRA_WALLET_SCRIPT);
    const live = { LIVE_RPC_URL: GOOD.TEST_RPC_URL, LIVE_COLLECTOR_KEY: KEY_PAIR };
    expect(() => configFromEnv({ ...GOOD, ...live, EXTRA_WALLET_SCRIPT })).toThrow(
      /EXTRA_WALLET_SCRIPT must not be set where LIVE_ variables are/,
    );
  });

  it('refuses a public URL too long for the links that go on chain', () => {
    const longest = `https://${'a'.repeat(MAX_PUBLIC_URL_BYTES - 'https://'.length)}`;
    const { publicUrl } = configFromEnv({ ...GOOD, PUBLIC_URL: `${longest}/` });
    const uri = planMetadataUri({ publicUrl }, '019343a0-0000-7000-8000-000000000000');
    expect(Buffer.byteLength(uri)).toBe(METADATA_URI_BYTES);
    const message = readErrorMessage({ ...GOOD, PUBLIC_URL: `${longest}a` });
    expect(message).toContain('PUBLIC_URL must have at most 80 bytes');
  });

  it('names all errors at once', () => {
    const message = readErrorMessage({ PORT: 'x', LIVE_RPC_URL: 'x' });
    for (const name of ['DATABASE_URL', 'SECRET_KEY', 'PORT', 'LIVE_RPC_URL', 'LIVE_COLLECTOR_KEY']) {
      expect(message).toContain(name);
    }
  });

  it('needs an environment', () => {
    const { TEST_RPC_URL: _, TEST_COLLECTOR_KEY: __, ...general } = GOOD;
    expect(readErrorMessage(general)).toContain('TEST_RPC_URL or LIVE_RPC_URL');
  });
});

describe('isConfigured', () => {
  it('is true with a database, and false without variables of dues', () => {
    expect(isConfigured(GOOD)).toBe(true);
    expect(isConfigured({ DATABASE_URL: GOOD.DATABASE_URL })).toBe(true);
    expect(isConfigured({ PATH: '/bin', LIVE_RELOAD: '1', TEST_RPC_URL: '' })).toBe(false);
  });

  it.each(['TEST_RPC_URL', 'TEST_COLLECTOR_KEY', 'LIVE_RPC_URL', 'LIVE_USDC_MINT'])(
    'refuses %s without a database',
    (name) => {
      expect(() => isConfigured({ [name]: 'x' })).toThrow(/DATABASE_URL is missing/);
      expect(() => isConfigured({ [name]: 'x' })).toThrow(ConfigError);
    },
  );
});

function readErrorMessage(env: Record<string, string | undefined>): string {
  try {
    configFromEnv(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('the configuration was accepted');
}
