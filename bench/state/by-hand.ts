// The baseline of the state bench: the same responses with `node:http`, `pg` and a minimum of code. It looks
// up the key in the statement that reads the state, counts no requests, and checks no input.
import { answerByHand, answerJson } from '../lib/answer-by-hand.ts';

const FROM = `
  FROM "ApiKey" k JOIN "CustomerState" s ON s."merchantId" = k."merchantId" AND s."environment" = k."environment"
  WHERE k."hash" = $1 AND k."revokedAt" IS NULL AND s."customerId" = $2`;
const VERSION = `SELECT s."version" ${FROM}`;
const STATE = `SELECT s."version", s."document", s."changesAt", (
  SELECT jsonb_build_object('slot', "slot"::text, 'mirrorBehindSeconds', floor(extract(epoch FROM now() - "heardAt")))
  FROM "StreamPosition" p WHERE p."environment" = k."environment") AS "asOf" ${FROM}`;

answerByHand(async ({ pool, request, key }, response) => {
  const customerId = decodeURIComponent(request.url?.split('/')[3] ?? '');
  const read = async (name: string, text: string) =>
    (await pool.query({ name, text, values: [key, customerId] })).rows[0];
  const tag = request.headers['if-none-match'];
  if (tag !== undefined && `"${(await read('version', VERSION)).version}"` === tag) {
    response.writeHead(304, { etag: tag }).end();
    return;
  }
  const { version, document, changesAt, asOf } = await read('state', STATE);
  const { hasAccess, features, subscriptions } = document;
  const state = { customerId, hasAccess, features, subscriptions, version };
  answerJson(
    response,
    {
      ...state,
      validUntil: changesAt?.toISOString() ?? null,
      asOf: asOf ?? { slot: null, mirrorBehindSeconds: null },
    },
    { etag: `"${version}"` },
  );
});
