import { expect, onTestFinished, test } from 'vitest';
import { recordRpcCalls } from '../../indexer/record-rpc-calls.ts';
import { startIndexerWorld } from '../../indexer/world.ts';

const WHERE = { where: { environment: 'TEST' } } as const;

test('accounts are compared although the stream breaks more often', async () => {
  const world = await startIndexerWorld();
  const repairMs = 1_500;
  await world.startIndexing({ repairMs });
  await world.publishActivePlan();
  await world.waitUntilCaughtUp();
  const cutting = setInterval(() => world.setStreamFault({ cut: true }), repairMs / 10);
  onTestFinished(() => clearInterval(cutting));
  const read = () => world.db.streamPosition.findUniqueOrThrow(WHERE);
  await world.db.streamPosition.update({ ...WHERE, data: { comparedAt: null, reconciledSlot: null } });
  await world.eventually(async () => {
    const { comparedAt, reconciledSlot } = await read();
    expect({ compared: comparedAt !== null, searched: reconciledSlot !== null }).toEqual({
      compared: true,
      searched: true,
    });
  });
});

test('transactions are searched although the leader changes more often', async () => {
  const world = await startIndexerWorld();
  const first = await world.startIndexing();
  await world.publishActivePlan();
  await world.waitUntilCaughtUp();
  await first.close();
  const searched = async () => (await world.db.streamPosition.findUniqueOrThrow(WHERE)).reconciledSlot;
  // The interval of the searches is ten minutes, and no process runs so long.
  const second = await world.startIndexing();
  await world.eventually(async () => expect(await searched()).not.toBeNull());
  await second.close();
  const long = BigInt(world.network.slot('confirmed'));
  const lastSearch = long - 1_500n;
  await world.db.streamPosition.update({ ...WHERE, data: { reconciledSlot: lastSearch } });
  await world.startIndexing();
  await world.eventually(async () => expect(await searched()).toBeGreaterThan(lastSearch));
});

test('a new leader reads what was missed also if its first connection fails', async () => {
  const world = await startIndexerWorld();
  const first = await world.startIndexing();
  await world.publishActivePlan();
  await world.waitUntilCaughtUp();
  await first.close();
  const calls = await recordRpcCalls(world);
  const config = world.ctx.chain.TEST?.config ?? expect.unreachable('no chain');
  const { yellowstoneUrl } = config;
  Object.assign(config, { yellowstoneUrl: 'http://127.0.0.1:1' });
  await world.startIndexing();
  await world.eventually(async () => expect(world.messages()).toContain('stream broken'));
  expect(calls.ofMethod('getSignaturesForAddress')).toEqual([]);
  Object.assign(config, { yellowstoneUrl });
  await world.eventually(async () => {
    expect(calls.ofMethod('getSignaturesForAddress').length).toBeGreaterThan(0);
  });
});
