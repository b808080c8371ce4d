// Creates the secrets of compose.yaml that do not exist yet: `node create-secrets.ts FOLDER`. Existing secrets are
// never changed, so it may run at every start. No secret has a default value. Each folder in FOLDER is for one group of
// readers.
import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { type ByteFormat, base64File, keygenFile, readOrCreateBytes } from '../../bin/key-file.ts';
import { newKeyPairBytes } from '../../bin/key-pair.ts';

const [, , folder = '', postgres = 'postgres:5432', redis = 'redis:6379'] = process.argv;
const pathOf = {
  /** For the migration and the roles. */
  databaseUrl: join(folder, 'database/url'),
  /** For the roles. */
  redisUrl: join(folder, 'roles/redis-url'),
  secretKey: join(folder, 'roles/secret-key'),
  collectorAddress: join(folder, 'roles/collector-address'),
  /** For workers. */
  collector: join(folder, 'worker/collector.json'),
  postgresPassword: join(folder, 'postgres/password'),
  redisConfig: join(folder, 'redis/redis.conf'),
  /** For nobody but this script: Redis reads its configuration. */
  redisPassword: join(folder, 'redis/password'),
};
/** Passwords are hexadecimal, so that URLs and configuration files need no escapes. */
const hexFile: ByteFormat = {
  write: (bytes) => Buffer.from(bytes).toString('hex'),
  read: (text) => Uint8Array.from(Buffer.from(text.trim(), 'hex')),
};
const OWNER_ONLY = 0o400;
/** Redis runs as another user. */
const READABLE = 0o444;

/** Writes a file unless it exists. */
async function create(path: string, text: string, mode = OWNER_ONLY): Promise<void> {
  await writeFile(path, text, { mode, flag: 'wx' }).then(
    () => console.log(`created ${path}`),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}

await Promise.all(Object.values(pathOf).map((path) => mkdir(dirname(path), { recursive: true })));
const postgresPassword = await passwordIn(pathOf.postgresPassword);
const redisPassword = await passwordIn(pathOf.redisPassword);
await create(pathOf.databaseUrl, `postgresql://dues:${postgresPassword}@${postgres}/dues\n`);
await create(pathOf.redisUrl, `redis://:${redisPassword}@${redis}\n`);
await create(pathOf.redisConfig, `requirepass ${redisPassword}\n`, READABLE);
await readOrCreateBytes(pathOf.secretKey, base64File, async () => randomBytes(32));
const collector = await readOrCreateBytes(pathOf.collector, keygenFile, newKeyPairBytes);
const { address } = await createKeyPairSignerFromBytes(collector);
// Written at every start, because it follows from the key.
await writeFile(pathOf.collectorAddress, `${address}\n`);
console.log(`The collector is ${address}. It needs SOL, never tokens.`);

async function passwordIn(path: string): Promise<string> {
  const bytes = await readOrCreateBytes(path, hexFile, async () => randomBytes(24));
  return hexFile.write(bytes);
}
