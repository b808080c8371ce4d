import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { METADATA_URI_BYTES } from '../../src/chain/program-additions.ts';
import { COLLECTING_DEFAULTS } from '../../src/config/cluster-config.ts';
import { ConfigError } from '../../src/config/config-error.ts';
import { MAX_PUBLIC_URL_BYTES } from '../../src/config/general-variables.ts';
import { isConfigured } from '../../src/config/part-from-env.ts';
import { configFromEnv } from '../../src/config.ts';
import { planMetadataUri } from '../../src/domain/plan/public-plan.ts';

const SECRET = 'correct-horse-battery';
const KEY_PAIR = JSON.stringify(Array.from({ length: 64 }, (_, index) => index));
const GOOD = {
  DATABASE_URL: 'postgresql://dues@localhost/dues',
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  TEST_RPC_URL: 'https://api.devnet.solana.com',
  TEST_COLLECTOR_KEY: KEY_PAIR,
};

describe('configFromEnv', () => {
  it('fills in what may be left out', () => {
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
    });
    expect(secretKey).toEqual(Uint8Array.from(Buffer.alloc(32, 7)));
    expect(clusters).toEqual({
      TEST: {
        rpcUrl: GOOD.TEST_RPC_URL,
        yellowstoneUrl: undefined,
        yellowstoneToken: undefined,
        defaultMint: '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
        collectorKey: Uint8Array.from({ length: 64 }, (_, index) => index),
        ...COLLECTING_DEFAULTS,
      },
    });
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
    ['TRUSTED_PROXIES', '10.0.0.0/8, fd00::1', { trustedProxies: ['10.0.0.0/8', 'fd00::1'] }],
  ])('takes %s=%s', (name, value, expected) => {
    expect(configFromEnv({ ...GOOD, [name]: value })).toMatchObject(expected);
  });

  it('has an environment where one of its variables is set, and both where both are', () => {
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
    ['OTEL_EXPORTER_OTLP_ENDPOINT', SECRET],
    ['LOG_LEVEL', 'loud'],
    ['CLOCK', 'sundial'],
    ['TEST_RPC_URL', `wss://rpc.example.com/${SECRET}`],
    ['TEST_RPC_URL', undefined],
    ['TEST_YELLOWSTONE_URL', SECRET],
    ['TEST_USDC_MINT', SECRET],
    ['TEST_MAX_PULLS_PER_TRANSACTION', '20'],
    ['TEST_MAX_PULLS_PER_TRANSACTION', SECRET],
    ['TEST_MAX_PRIORITY_FEE', '-1'],
    ['TEST_COLLECTOR_KEY', undefined],
    ['TEST_COLLECTOR_KEY', `["${SECRET}"]`],
    ['TEST_COLLECTOR_KEY', SECRET],
    ['TEST_COLLECTOR_KEY', JSON.stringify(Array.from({ length: 32 }, () => 1))],
    ['TEST_COLLECTOR_KEY', JSON.stringify(Array.from({ length: 64 }, () => 256))],
    ['LIVE_RPC_URL', 'https://api.mainnet-beta.solana.com', 'LIVE_COLLECTOR_KEY'],
  ])('refuses %s=%s', (name, value, named = name) => {
    const message = messageOf({ ...GOOD, [name]: value });
    expect(message.split('\n')).toHaveLength(2);
    expect(message).toContain(`  ${named} `);
    expect(message).not.toContain(SECRET);
    if (!value) expect(message).toContain('is missing');
  });

  describe('of a collector', () => {
    const { TEST_COLLECTOR_KEY: _, ...WITHOUT } = GOOD;
    const OTHER = JSON.stringify(Array.from({ length: 64 }, (__, index) => 64 - index));
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

    it('takes a key file, or a signer with or without a token', () => {
      const collector = (env: object) => configFromEnv({ ...WITHOUT, ...env }).clusters.TEST?.collectorKey;
      expect(collector({ TEST_COLLECTOR_KEY_FILE: file })).toEqual(bytes(OTHER));
      const url = 'https://signer.example.com/test';
      expect(collector({ TEST_COLLECTOR_SIGNER_URL: url })).toEqual({ url, token: undefined });
      expect(collector({ TEST_COLLECTOR_SIGNER_URL: url, TEST_COLLECTOR_SIGNER_TOKEN: SECRET })).toEqual({
        ...{ url, token: SECRET },
      });
    });

    it('takes the one before beside it', () => {
      const { TEST } = configFromEnv({ ...GOOD, TEST_COLLECTOR_PREVIOUS_KEY_FILE: file }).clusters;
      expect(TEST).toMatchObject({ collectorKey: bytes(KEY_PAIR), previousCollectorKey: bytes(OTHER) });
    });

    it.each([
      [{ TEST_COLLECTOR_KEY_FILE: 'nowhere.json' }, 'TEST_COLLECTOR_KEY_FILE must be the path of a key file'],
      [{ TEST_COLLECTOR_KEY_FILE: 'bad.json' }, 'TEST_COLLECTOR_KEY_FILE must be the path of a key file'],
      [{ TEST_COLLECTOR_SIGNER_URL: SECRET }, 'TEST_COLLECTOR_SIGNER_URL must be the URL of a signer'],
      [{ TEST_COLLECTOR_SIGNER_URL: 'ftp://x' }, 'TEST_COLLECTOR_SIGNER_URL must be the URL of a signer'],
      [
        { TEST_COLLECTOR_KEY: KEY_PAIR, TEST_COLLECTOR_SIGNER_URL: 'https://x.example' },
        'TEST_COLLECTOR_SIGNER_URL is one too many: TEST_COLLECTOR_KEY is set',
      ],
      [
        { TEST_COLLECTOR_KEY: KEY_PAIR, TEST_COLLECTOR_SIGNER_TOKEN: SECRET },
        'TEST_COLLECTOR_SIGNER_TOKEN is of no use',
      ],
      [{ TEST_COLLECTOR_PREVIOUS_KEY: KEY_PAIR }, 'TEST_COLLECTOR_KEY is missing'],
      [{}, 'TEST_COLLECTOR_KEY is missing'],
    ])('refuses %o in one line', (env, problem) => {
      const inFolder = Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          name.endsWith('_FILE') ? join(folder, value as string) : (value as string),
        ]),
      );
      const message = messageOf({ ...WITHOUT, ...inFolder });
      expect(message.split('\n')).toHaveLength(2);
      expect(message).toContain(problem);
      expect(message).not.toContain(SECRET);
    });
  });

  it('serves operators on this machine alone, and traces nothing, until told otherwise', () => {
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

  it('leaves variables of other programs alone', () => {
    const foreign = { LIVE_RELOAD: '1', TEST_DATABASE_URL: SECRET, TEST_X: '', LIVE_: 'x' };
    expect(configFromEnv({ ...GOOD, ...foreign }).clusters).toEqual(configFromEnv(GOOD).clusters);
  });

  it('refuses a public URL that leaves no room for the links that go on chain', () => {
    const longest = `https://${'a'.repeat(MAX_PUBLIC_URL_BYTES - 'https://'.length)}`;
    const { publicUrl } = configFromEnv({ ...GOOD, PUBLIC_URL: `${longest}/` });
    const uri = planMetadataUri({ publicUrl }, '019343a0-0000-7000-8000-000000000000');
    expect(Buffer.byteLength(uri)).toBe(METADATA_URI_BYTES);
    const message = messageOf({ ...GOOD, PUBLIC_URL: `${longest}a` });
    expect(message).toContain('PUBLIC_URL must have at most 80 bytes');
  });

  it('names everything that is wrong at once', () => {
    const message = messageOf({ PORT: 'x', LIVE_RPC_URL: 'x' });
    for (const name of ['DATABASE_URL', 'SECRET_KEY', 'PORT', 'LIVE_RPC_URL', 'LIVE_COLLECTOR_KEY']) {
      expect(message).toContain(name);
    }
  });

  it('needs an environment', () => {
    const { TEST_RPC_URL: _, TEST_COLLECTOR_KEY: __, ...general } = GOOD;
    expect(messageOf(general)).toContain('TEST_RPC_URL or LIVE_RPC_URL');
  });
});

describe('isConfigured', () => {
  it('is so with a database, and is not with nothing of ours', () => {
    expect(isConfigured(GOOD)).toBe(true);
    expect(isConfigured({ DATABASE_URL: GOOD.DATABASE_URL })).toBe(true);
    expect(isConfigured({ PATH: '/bin', LIVE_RELOAD: '1', TEST_RPC_URL: '' })).toBe(false);
  });

  it.each(['TEST_RPC_URL', 'TEST_COLLECTOR_KEY', 'LIVE_RPC_URL', 'LIVE_USDC_MINT'])(
    'refuses to leave %s alone for want of a database',
    (name) => {
      expect(() => isConfigured({ [name]: 'x' })).toThrow(/DATABASE_URL is missing/);
      expect(() => isConfigured({ [name]: 'x' })).toThrow(ConfigError);
    },
  );
});

function messageOf(env: Record<string, string | undefined>): string {
  try {
    configFromEnv(env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('it was taken');
}
