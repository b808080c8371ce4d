import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, expect, inject, it } from 'vitest';
import { MIGRATIONS_FOLDER, migrationNames } from '../../src/postgres/migrations.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { createEmptyDatabase } from './databases.ts';

const TEAM = '20261121130000_team';
const MERCHANT = '01980000-0000-7000-8000-000000000001';

const database = await sharedByFile(createEmptyDatabase(inject('templateDatabaseUrl')));
const client = new Client({ connectionString: database.url });
await client.connect();
afterAll(async () => {
  await client.end();
});

const migrate = async (name: string) =>
  client.query(await readFile(join(MIGRATIONS_FOLDER, name, 'migration.sql'), 'utf8'));

it('a merchant from before teams existed is owned by its wallet', async () => {
  const names = (await migrationNames()).sort();
  for (const name of names.filter((earlier) => earlier < TEAM)) await migrate(name);
  await client.query(
    `INSERT INTO "Merchant" ("id", "companyName", "walletAddress") VALUES ($1, 'Acme', 'wallet')`,
    [MERCHANT],
  );
  await migrate(TEAM);
  const { rows } = await client.query('SELECT "merchantId", "walletAddress", "role" FROM "Member"');
  expect(rows).toEqual([{ merchantId: MERCHANT, walletAddress: 'wallet', role: 'OWNER' }]);
});

it('an audit entry has the id of its actor, unless the actor is the operator', async () => {
  const insert = (actor: string, actorId: string | null) =>
    client.query(
      `INSERT INTO "AuditEntry" ("id", "merchantId", "action", "targetId", "changes", "actor", "actorId", "createdAt")
       VALUES (gen_random_uuid(), $1, 'plan.created', 'pro', '{}', $2, $3, now())`,
      [MERCHANT, actor, actorId],
    );
  await expect(insert('API_KEY', null)).rejects.toThrow('AuditEntry_actor_known');
  await expect(insert('OPERATOR', MERCHANT)).rejects.toThrow('AuditEntry_actor_known');
  await insert('MEMBER', MERCHANT);
  await insert('OPERATOR', null);
});
