// `npm run --silent openapi` prints the OpenAPI document that the API serves at /openapi.json. It
// needs no database.
import { Command } from 'commander';
import { strictUsage } from '../../bin/strict-usage.ts';
import type { GraphqlServer } from '../../src/api/graphql/context.ts';
import type { GraphqlHandler } from '../../src/api/graphql/transport/handler.ts';
import { openApiDocument } from '../../src/api/openapi/openapi-document.ts';
import { createRouter } from '../../src/api/server/router.ts';
import { createLog } from '../../src/observability/log.ts';

strictUsage(
  new Command('npm run --silent openapi --').description('Prints the OpenAPI document of the API.'),
).parse();
const config = { publicUrl: 'http://localhost:3000' };
// The routes use the other parts of their context only when they are called.
const server = { app: { config, chain: {}, log: createLog('silent') } } as unknown as GraphqlServer;
createRouter(server, {} as GraphqlHandler, (router) => {
  const document = JSON.stringify(openApiDocument(router, config), null, 2);
  console.log(document);
  return document;
});
