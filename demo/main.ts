// The whole product in one story: `npm run demo`. Exit code 0 only if every figure holds.
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { airdropLamports } from '../bin/airdrop.ts';
import { startDevelopment } from '../bin/development.ts';
import { orExplain } from '../bin/expected-failure.ts';
import { startIndexer } from '../indexer/main.ts';
import { createApp } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import { createApiKey } from '../src/domain/merchant/create-api-key.ts';
import { createMerchant } from '../src/domain/merchant/create-merchant.ts';
import { startApi } from '../src/http/server.ts';
import { startWorker } from '../workers/main.ts';
import { Board } from './board.ts';
import { proveTheBooks } from './books.ts';
import { Merchant } from './merchant.ts';
import { Story } from './story.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const board = new Board();
const closing: (() => Promise<unknown>)[] = [];
let allHolds = false;
try {
  board.title('A machine with nothing but Node');
  const folder = await mkdtemp(join(tmpdir(), 'dues-demo-'));
  await chmod(folder, 0o755);
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const development = await board.step('PostgreSQL and a Solana network start', () =>
    orExplain(
      'demo',
      startDevelopment({ folder, persistent: false, host: '127.0.0.1', port: 0, logLevel: 'error' }),
    ),
  );
  closing.push(() => development.close());
  const app = await board.step('dues starts: API, indexer, worker', async () => {
    const created = await createApp(development.config);
    closing.push(() => created.close());
    const indexer = await startIndexer(created.ctx);
    closing.push(() => indexer.close());
    const worker = await startWorker(created.ctx);
    closing.push(() => worker.close());
    return created;
  });
  const { ctx } = app;
  const api = await startApi(ctx);
  closing.push(() => api.close());
  const receiver = await WebhookReceiver.start();
  closing.push(() => receiver.close());

  const { merchantWallet, localnet } = development;
  airdropLamports(localnet.network, merchantWallet.address);
  const { id: merchantId } = await createMerchant(ctx, {
    companyName: 'Acme Streaming',
    walletAddress: merchantWallet.address,
  });
  const { apiKey } = await createApiKey(ctx, { merchantId, environment: 'TEST' }, { name: 'demo' });
  const merchant = new Merchant(api.url, apiKey, merchantWallet, ctx.chain.TEST as Chain);
  closing.push(async () => merchant.close());
  receiver.secret = await merchant.listenAt(receiver.url);
  merchant.watchPayments();

  const story = new Story(ctx, development, merchant, board, api.url);
  await story.play();
  board.title('The books');
  allHolds = await proveTheBooks(ctx, development, merchant, story, receiver);
} finally {
  for (const close of closing.reverse()) await close();
}
console.log(`  ${board.secondsSoFar.toFixed(1)} s`);
process.exitCode = allHolds ? 0 : 1;
