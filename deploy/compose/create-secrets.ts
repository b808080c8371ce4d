// Creates the secrets of compose.yaml that do not exist yet: `node create-secrets.ts FOLDER`. Existing files are never
// changed, so it may run at every start. No secret has a default value.
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { type ByteFormat, base64File, keygenFile, readOrCreateBytes } from '../../bin/key-file.ts';
import { newKeyPairBytes } from '../../bin/key-pair.ts';

const [, , folder = '', postgres = 'postgres:5432', redis = 'redis:6379'] = process.argv;
/** Passwords are hexadecimal, so that URLs and configuration files need no escapes. */
const hexFile: ByteFormat = {
  write: (bytes) => Buffer.from(bytes).toString('hex'),
  read: (text) => Uint8Array.from(Buffer.from(text.trim(), 'hex')),
};
const OWNER_ONLY = 0o400;
/** Redis runs as another user. */
const READABLE = 0o444;

/** Writes a file unless it exists. */
async function create(name: string, text: string, mode = OWNER_ONLY): Promise<void> {
  await writeFile(join(folder, name), text, { mode, flag: 'wx' }).then(
    () => console.log(`created ${name}`),
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
}

const postgresPassword = await passwordOf('postgres-password');
const redisPassword = await passwordOf('redis-password');
await create('database-url', `postgresql://dues:${postgresPassword}@${postgres}/dues\n`);
await create('redis-url', `redis://:${redisPassword}@${redis}\n`);
await create('redis.conf', `requirepass ${redisPassword}\n`, READABLE);
await readOrCreateBytes(join(folder, 'secret-key'), base64File, async () => randomBytes(32));
const collector = await readOrCreateBytes(join(folder, 'collector.json'), keygenFile, newKeyPairBytes);
const { address } = await createKeyPairSignerFromBytes(collector);
console.log(`The collector is ${address}. It needs SOL, never tokens.`);

async function passwordOf(name: string): Promise<string> {
  const bytes = await readOrCreateBytes(join(folder, name), hexFile, async () => randomBytes(24));
  return hexFile.write(bytes);
}
