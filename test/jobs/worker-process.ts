// A worker in a separate process that a test stops or kills: `node worker-process.ts <settings
// as JSON>`. It reports when a job starts and ends. Each `go` that it receives ends one job; a
// number of milliseconds blocks the process first.
import { startWorkers } from '../../src/jobs/worker.ts';
import { testContext } from './context.ts';

const settings = JSON.parse(process.argv[2] ?? '') as { databaseUrl: string; redisUrl?: string };
const ctx = testContext({ ...settings, redisUrl: settings.redisUrl });
const holdJob = async (name: string) => {
  const go = Promise.withResolvers<void>();
  process.once('message', (message) => {
    if (typeof message === 'number') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, message);
    go.resolve();
  });
  process.send?.({ began: name });
  await go.promise;
  process.send?.({ ended: name });
};
await startWorkers(ctx, {
  'payments.collect': (_, { share }) => holdJob(`share ${share}`),
  'jobs.schedule': () => holdJob('tick'),
  'transactions.follow': () => holdJob('follow'),
  'webhooks.deliver': (_, { endpointId }) => holdJob(endpointId),
});
process.send?.('ready');
