import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { startDevelopment } from '../bin/development.ts';
import { untilStopped } from '../bin/until-stopped.ts';
import { startIndexer } from '../indexer/main.ts';
import { programFromEnvironment } from '../localnet/genesis.ts';
import { startApi } from '../src/api/server/server.ts';
import { createApp } from '../src/app.ts';
import type { Chain } from '../src/chain/chain.ts';
import { createApiKey } from '../src/domain/accounts/api-key/create-api-key.ts';
import { createMerchant } from '../src/domain/accounts/merchant/create-merchant.ts';
import { updateSettings } from '../src/domain/accounts/merchant/update-settings.ts';
import { switchedTemplates } from '../src/domain/messages/mail/mail-settings.ts';
import { updateMailSettings } from '../src/domain/messages/mail/update-mail-settings.ts';
import { startSmtpReceiver } from '../tools/smtp-receiver.ts';
import { Merchant } from '../tools/world/merchant.ts';
import { startWorker } from '../workers/main.ts';
import { Board } from './board.ts';
import { checkBooks } from './books.ts';
import { GRACE_SECONDS, Story } from './story.ts';
import { StoryNetwork } from './story-network.ts';
import { WebhookReceiver } from './webhook-receiver.ts';

const describeProgram = () =>
  programFromEnvironment()
    ? `the network runs ${programFromEnvironment()}`
    : "the network runs our own compact program with the official one's interface";
/** Exit codes. */
const INTERRUPTED = 130;
const FAILED = 1;

/**
 * Plays the demo until its end or an interruption, and stops everything that it started. Returns
 * the exit code.
 *
 * @param redis URL of an empty Redis for the jobs; without it they are in PostgreSQL
 */
export async function playDemo(redis: string | undefined): Promise<number> {
  const board = new Board();
  const stopped = untilStopped().then(() => INTERRUPTED);
  await using closing = new AsyncDisposableStack();
  const code = await Promise.race([play(board, closing, redis), stopped]);
  if (code === INTERRUPTED) board.close();
  const seconds = `${board.secondsSoFar.toFixed(1)} s`;
  if (code === INTERRUPTED)
    console.log(`\n  ${styleText('yellow', 'Stopped')} after ${seconds}; cleaning up.`);
  else console.log(styleText('dim', `  ${seconds}`));
  if (code === 0) console.log('\n  Next: npm start runs all of this for you to try.');
  return code;
}

async function play(board: Board, closing: AsyncDisposableStack, redis?: string): Promise<number> {
  try {
    return (await playAndCheck(board, closing, redis)) ? 0 : FAILED;
  } catch (error) {
    // After an interruption everything is closed, so errors of running work are ignored.
    if (closing.disposed) return INTERRUPTED;
    throw error;
  }
}

async function playAndCheck(
  board: Board,
  closing: AsyncDisposableStack,
  redis: string | undefined,
): Promise<boolean> {
  board.title('A machine with nothing but Node');
  const folder = await mkdtemp(join(tmpdir(), 'dues-demo-'));
  closing.defer(() => rm(folder, { recursive: true, force: true }));
  await chmod(folder, 0o755);
  const development = await board.step(
    'PostgreSQL and a Solana network start',
    async () => {
      const started = await startDevelopment({
        folder,
        persistent: false,
        host: '127.0.0.1',
        port: 0,
        logLevel: 'error',
      });
      closing.defer(() => started.close());
      return started;
    },
    describeProgram,
  );
  const smtp = await startSmtpReceiver();
  closing.defer(() => smtp.close());
  const { ctx, api } = await board.step('dues starts: API, indexer, worker', async () => {
    const app = await createApp({ ...development.config, redisUrl: redis, mail: smtp.config });
    closing.defer(() => app.close());
    const indexer = await startIndexer(app.ctx);
    closing.defer(() => indexer.close());
    const worker = await startWorker(app.ctx);
    closing.defer(() => worker.close());
    const server = await startApi(app.ctx);
    closing.defer(() => server.close());
    return { ctx: app.ctx, api: server };
  });
  const receiver = await WebhookReceiver.start();
  closing.defer(() => receiver.close());

  const { merchantWallet, localnet } = development;
  const network = new StoryNetwork(localnet);
  await network.fund(merchantWallet.address);
  const { merchant: row } = await createMerchant(ctx, {
    companyName: 'Acme Streaming',
    walletAddress: merchantWallet.address,
  });
  const scope = { merchantId: row.id, environment: 'TEST' } as const;
  await updateSettings(ctx, scope, { sponsorsCustomers: true, graceSeconds: GRACE_SECONDS });
  await updateMailSettings(ctx, scope, {
    templates: switchedTemplates,
    merchantEmail: 'merchant@example.com',
  });
  const { apiKey } = await createApiKey(ctx, scope, { name: 'demo' });
  const merchant = new Merchant(api.url, apiKey, merchantWallet, ctx.chain.TEST as Chain);
  closing.defer(() => merchant.close());
  receiver.secret = await merchant.listenAt(receiver.url);
  merchant.watchPayments();

  const story = new Story(ctx, network, merchant, receiver, board, api.url);
  await story.play();
  board.title('The books');
  return checkBooks(ctx, network, merchantWallet.address, merchant, story, { receiver, smtp });
}
