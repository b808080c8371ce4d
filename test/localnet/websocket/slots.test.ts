import { describe, expect, it } from 'vitest';
import { startWorld } from './world.ts';

describe('slotSubscribe', () => {
  it('sends every new slot, its parent and the newest finalized slot', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('slotSubscribe');
    const first = network.slot('processed');
    const root = network.slot('finalized');
    network.tick();
    network.tick();
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([
      {
        jsonrpc: '2.0',
        method: 'slotNotification',
        params: { result: { slot: first + 1, parent: first, root }, subscription: id },
      },
      {
        jsonrpc: '2.0',
        method: 'slotNotification',
        params: { result: { slot: first + 2, parent: first + 1, root: root + 1 }, subscription: id },
      },
    ]);
  });

  it('skips the slots that time travel skipped', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('slotSubscribe');
    const first = network.slot('processed');
    network.travel({ slot: first + 1_000 });
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toMatchObject([
      { slot: first + 967, parent: first },
      { slot: first + 999, parent: first + 967 },
      { slot: first + 1_000, parent: first + 999, root: first + 967 },
    ]);
  });

  it('ends with slotUnsubscribe', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('slotSubscribe');
    expect(await client.call('slotUnsubscribe', [id])).toMatchObject({ result: true });
    network.tick();
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([]);
  });
});

describe('rootSubscribe', () => {
  it('sends the number of every finalized slot, without gaps', async () => {
    const { network, connect, reach } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('rootSubscribe');
    const last = network.slot('finalized');
    network.travel({ slot: network.slot('processed') + 500 });
    await client.untilCaughtUp();
    const blocks = [...network.ledger.blocks()].map(({ slot }) => slot);
    expect(client.notificationsOf(id)).toEqual(
      blocks.filter((slot) => slot > last && slot <= network.slot('finalized')),
    );
    expect(client.notifications[0]).toEqual({
      jsonrpc: '2.0',
      method: 'rootNotification',
      params: { result: last + 1, subscription: id },
    });
    reach('finalized');
    await client.untilCaughtUp();
    expect(client.notificationsOf(id).at(-1)).toBe(network.slot('finalized'));
  });

  it('ends with rootUnsubscribe', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('rootSubscribe');
    expect(await client.call('rootUnsubscribe', [id])).toMatchObject({ result: true });
    network.tick();
    await client.untilCaughtUp();
    expect(client.notifications).toEqual([]);
  });
});
