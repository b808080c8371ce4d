import { generateKeyPairSigner } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { newKeyPairBytes } from '../../bin/key-pair.ts';
import { FILE_VARIABLES } from '../../src/config/variables/groups.ts';
import { configFromEnv } from '../../src/config.ts';
import { createLog } from '../../src/observability/log.ts';
import { withoutSecrets } from '../../src/observability/without-secrets.ts';
import { generateApiKey, generateSessionToken, generateWebhookSecret } from '../../src/secrets.ts';

const token = generateSessionToken();
const [test, live, webhook] = [generateApiKey('TEST'), generateApiKey('LIVE'), generateWebhookSecret()];
const keyPair = JSON.stringify([...(await newKeyPairBytes())]);

/** Returns the log lines that were written. */
function logLines(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = [];
  write(createLog('debug', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('a log line', () => {
  it.each([
    ['an API key', test, test],
    ['a live API key', `{"apiKey":"${live}"}`, live],
    ['a webhook secret', `whose secret is ${webhook}`, webhook],
    ['a checkout session', `/api/checkout/cs_${token}/complete`, token],
    ['a header', `authorization: Bearer ${token}`, token],
    ['a cookie', `Cookie: a=b; __Host-dues_session=${token}; c=d`, token],
    ['a cookie of the portal', `Cookie: a=b; __Host-dues_portal=${token}; c=d`, token],
    ['a link into the portal', `https://dues.example/portal#mail=${token}`, token],
    ['a link that ends reminders', `GET https://dues.example/mail/unsubscribe/${token}`, token],
    ['a link of a receipt', `GET https://dues.example/receipts/${token}/receipt.pdf`, token],
    [
      'a database with a password',
      'cannot connect to postgresql://dues:pa55%word@db.internal:5432/dues',
      'pa55%word',
    ],
    ['Redis with a password', 'rediss://:hunter2hunter2@cache:6380', 'hunter2hunter2'],
    ['a cluster with a key', 'GET https://rpc.example.com/?api-key=0a1b2c3d-secret', '0a1b2c3d-secret'],
    ['a key pair', `TEST_COLLECTOR_KEY=${keyPair}`, keyPair],
    ['a key pair in several lines', keyPair.replaceAll(',', ', '), keyPair.replaceAll(',', ', ')],
  ])('does not contain %s', (_, text, secret) => {
    const nested = new Error('outside', { cause: new Error(`inside ${text}`) });
    const lines = [
      logLines((log) => log.error({ err: new Error(text) }, 'failed')),
      logLines((log) => log.error({ err: nested }, 'failed')),
      logLines((log) => log.info({ deeply: { in: { something: [text] } } }, 'so')),
      logLines((log) => log.warn(text)),
    ];
    for (const line of lines) {
      expect(line).not.toContain(secret);
      expect(() => JSON.parse(line)).not.toThrow();
    }
  });

  it('has no secret of the configuration', () => {
    // A collector has a key or a signer. Key pairs are bytes, which the next test has.
    const names = FILE_VARIABLES.filter(
      (name) => !/^DUES_API_KEY$|_COLLECTOR(_PREVIOUS)?_(KEY|ADDRESS)$|_FEE_PAYER_KEYS$/.test(name),
    );
    const markOf = (name: string) => `s3cret-${name.toLowerCase().replaceAll('_', '-')}`;
    const textOf = (name: string) => {
      if (name === 'SECRET_KEY') return Buffer.alloc(32, 's3cret').toString('base64');
      if (name.endsWith('DATABASE_URL')) return `postgresql://dues:${markOf(name)}@db.internal/dues`;
      if (name === 'REDIS_URL') return `redis://:${markOf(name)}@cache.internal`;
      if (name === 'SMTP_URL') return `smtps://dues:${markOf(name)}@mail.internal`;
      return name.endsWith('_URL') ? `https://node.internal/${markOf(name)}` : markOf(name);
    };
    const configWithout = (omitted: readonly string[], others = {}) =>
      configFromEnv({
        ...Object.fromEntries(
          names.filter((name) => !omitted.includes(name)).map((name) => [name, textOf(name)]),
        ),
        MAIL_FROM: 'billing@shop.example',
        METRICS_PORT: '9464',
        ...others,
      });
    // One Redis by its URL, or several by their names.
    const sentinels = { REDIS_SENTINELS: 'one:26379', REDIS_SENTINEL_NAME: 'dues' };
    const configs = [
      configWithout(['REDIS_PASSWORD', 'REDIS_SENTINEL_PASSWORD']),
      configWithout(['REDIS_URL'], sentinels),
    ];
    const configText = JSON.stringify(configs, (_, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(names.filter((name) => name !== 'SECRET_KEY' && !configText.includes(markOf(name)))).toEqual([]);
    for (const config of configs) {
      const line = logLines((log) => log.info({ ...config }, 'so'));
      expect(line).not.toContain('s3cret');
      expect(JSON.parse(line).secretKey).toBe('[redacted]');
    }
  });

  it('has no key pair as bytes', () => {
    const bytes = Uint8Array.from(JSON.parse(keyPair) as number[]);
    const line = withoutSecrets(JSON.stringify({ bytes, buffer: Buffer.from(bytes) }));
    expect(JSON.parse(line)).toEqual({ bytes: {}, buffer: { type: 'Buffer', data: [] } });
    const config = JSON.parse(logLines((log) => log.info({ LIVE: { feePayerKeys: [bytes] } }, 'so')));
    expect(config.LIVE.feePayerKeys).toBe('[redacted]');
  });

  it('marks omitted values', () => {
    const line = logLines((log) => log.info(`the key ${test} at redis://:${token}@cache`));
    expect(JSON.parse(line).msg).toBe('the key sk_test_[redacted] at redis://:[redacted]@cache');
  });

  it.each(['authorization', 'cookie', 'secret', 'token', 'databaseUrl', 'rpcUrl', 'sessionId'])(
    'has no field %s',
    (field) => {
      expect(logLines((log) => log.info({ [field]: 'x', a: { [field]: 'y' } }, 'so'))).not.toMatch(/"[xy]"/);
      expect(logLines((log) => log.child({ [field]: 'x' }).info('so'))).not.toContain('"x"');
      const error = Object.assign(new Error('broken'), { [field]: 'x' });
      const line = logLines((log) => log.info({ error, a: { error } }, 'so'));
      expect(line).not.toContain('"x"');
      expect(JSON.parse(line)).toMatchObject({
        error: { message: 'broken' },
        a: { error: { message: 'broken' } },
      });
    },
  );

  it.each(['a', '1', '[', '[1,', '://', '://a:', 'bearer ', 'sk_', '?key'])(
    'accepts a line of only %s',
    (part) => {
      const line = part.repeat(100_000);
      expect(withoutSecrets(line)).toHaveLength(line.length);
    },
  );

  it('keeps the fields needed for diagnosis', async () => {
    const { address } = await generateKeyPairSigner();
    const text = `payment 0193 of ${address} at https://api.devnet.solana.com/path?page=2 in [1,2,3] by user@example.com`;
    expect(withoutSecrets(text)).toBe(text);
  });
});
