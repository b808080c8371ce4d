// The peer of the API bench: PostGraphile 5 over the same database, in a process of its own. `start-peers.ts`
// installs it, and sends the folder with the configuration.
import { createServer, type IncomingMessage } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { hashApiKey } from '../../src/secrets.ts';

/** The first message to the process. It answers with its URL. */
export interface PeerRequest {
  readonly config: Config;
  /** The folder in which PostGraphile is installed. */
  readonly folder: string;
  /** The role of requests with row-level security. Without it, every row is shown to everybody. */
  readonly role: string | undefined;
}

// As an operator runs it: without the checks of development.
process.env.GRAPHILE_ENV = 'production';

process.once('message', async ({ config, folder, role }: PeerRequest) => {
  const load = createRequire(join(folder, 'peer.js'));
  const { postgraphile } = load('postgraphile');
  const { PostGraphileAmberPreset } = load('postgraphile/presets/amber');
  const { makePgService } = load('postgraphile/adaptors/pg');
  const { jsonPgSmartTags } = load('postgraphile/utils');
  const { grafserv } = load('postgraphile/grafserv/node');
  const peer = postgraphile({
    extends: [PostGraphileAmberPreset],
    // `Subscription` is GraphQL's root type for live updates.
    plugins: [
      jsonPgSmartTags({ version: 1, config: { class: { Subscription: { tags: { name: 'Item' } } } } }),
    ],
    pgServices: [makePgService({ connectionString: config.databaseUrl, schemas: ['public'] })],
    grafserv: { websockets: false },
    grafast: {
      explain: false,
      context: ({ node }: { readonly node: { readonly req: IncomingMessage } }) => {
        if (role === undefined) return {};
        const key = node.req.headers.authorization?.slice('Bearer '.length) ?? '';
        const hash = Buffer.from(hashApiKey(config.secretKey, key)).toString('hex');
        return { pgSettings: { role, 'bench.key': hash } };
      },
    },
  });
  const server = createServer();
  await peer.createServ(grafserv).addTo(server);
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  });
  process.once('disconnect', async () => {
    server.close();
    server.closeAllConnections();
    await peer.release();
  });
});
