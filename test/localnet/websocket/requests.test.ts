import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { newAddress } from '../rpc/world.ts';
import { startWorld } from './world.ts';

const INVALID_PARAMS = -32602;
const ADDRESS = 'De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44';
const SIGNATURE = '1'.repeat(64);
const KINDS = ['account', 'program', 'signature', 'logs', 'slot', 'root'];

describe('a message that is not a request', () => {
  const parseError = { jsonrpc: '2.0', error: { code: -32700, message: 'Parse error' }, id: null };
  const invalid = (id: unknown = null) => ({
    jsonrpc: '2.0',
    error: { code: -32600, message: 'Invalid request' },
    id,
  });
  it.each<[string, unknown]>([
    ['', parseError],
    ['{"jsonrpc":', parseError],
    ['7', parseError],
    ['null', parseError],
    ['"slotSubscribe"', parseError],
    ['{}', invalid()],
    ['{"jsonrpc":"2.0","id":3}', invalid(3)],
    ['{"jsonrpc":"2.0","id":3,"method":7}', invalid(3)],
    ['{"jsonrpc":"1.0","id":3,"method":"slotSubscribe"}', invalid(3)],
    ['{"jsonrpc":"2.0","id":{},"method":"slotSubscribe"}', invalid()],
    ['{"jsonrpc":"2.0","id":"x","method":"slotSubscribe","params":7}', invalid('x')],
    ['[7]', [invalid()]],
    [
      '{"id":3,"method":"slotSubscribe"}',
      { jsonrpc: '2.0', error: { code: -32600, message: 'Unsupported JSON-RPC protocol version' }, id: 3 },
    ],
    [
      '{"jsonrpc":"2.0","id":"x","method":"blockSubscribe","params":["all"]}',
      { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: 'x' },
    ],
    [
      '{"jsonrpc":"2.0","id":null,"method":"getSlot"}',
      { jsonrpc: '2.0', error: { code: -32601, message: 'Method not found' }, id: null },
    ],
  ])('%s is answered as on a cluster, and the next request works', async (text, answer) => {
    const { connect } = await startWorld();
    const client = await connect();
    expect(await client.sendRaw(text)).toEqual(answer);
    expect(await client.subscribe('slotSubscribe')).toBeGreaterThan(0);
  });

  it.each([
    ['a text too large for a cluster', `"${'x'.repeat(5_000)}"`],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('%s ends only its own connection', async (_what, message) => {
    const { connect } = await startWorld();
    const [bad, good] = [await connect(), await connect()];
    const closed = once(bad.socket, 'close');
    bad.socket.send(message);
    await closed;
    expect(await good.subscribe('slotSubscribe')).toBeGreaterThan(0);
  });
});

describe('invalid params', () => {
  const refusals: [method: string, params: unknown, message: string][] = [
    ['accountSubscribe', [], '`params` should have at least 1 argument(s)'],
    ['accountSubscribe', {}, '`params` should be an array'],
    ['accountSubscribe', [ADDRESS, {}, 1], 'Invalid parameters: Expected from 1 to 2 parameters.'],
    ['accountSubscribe', [7], 'Invalid params: invalid type: integer `7`, expected a string.'],
    ['accountSubscribe', ['short'], 'Invalid Request: Invalid pubkey provided'],
    ['accountSubscribe', [ADDRESS, 'confirmed'], 'invalid type: string "confirmed"'],
    ['accountSubscribe', [ADDRESS, { encoding: 'hex' }], 'unknown variant `hex`'],
    ['accountSubscribe', [ADDRESS, { encoding: 7 }], 'invalid type: integer `7`'],
    ['accountSubscribe', [ADDRESS, { commitment: 'max' }], 'unknown variant `max`'],
    ['accountSubscribe', [ADDRESS, { dataSlice: { offset: -1, length: 1 } }], 'integer `-1`'],
    ['programSubscribe', [null], 'Invalid params: invalid type: null, expected a string.'],
    ['programSubscribe', ['0'.repeat(44)], 'Invalid Request: Invalid pubkey provided'],
    ['programSubscribe', [ADDRESS, { filters: Array(5).fill({ dataSize: 1 }) }], 'Too many filters provided'],
    ['programSubscribe', [ADDRESS, { filters: [{ size: 1 }] }], 'unknown variant `size`'],
    ['signatureSubscribe', [ADDRESS], 'Invalid Request: Invalid signature provided'],
    ['signatureSubscribe', [SIGNATURE, { enableReceivedNotification: 1 }], 'expected a boolean'],
    ['logsSubscribe', ['some'], 'unknown variant `some`'],
    ['logsSubscribe', [null], 'invalid type: null'],
    ['logsSubscribe', [{}], 'expected map with a single key'],
    ['logsSubscribe', [{ mentions: [ADDRESS], all: true }], 'expected map with a single key'],
    ['logsSubscribe', [{ mention: [ADDRESS] }], 'unknown variant `mention`'],
    ['logsSubscribe', [{ mentions: ADDRESS }], 'expected a sequence'],
    ['logsSubscribe', [{ mentions: [] }], 'Invalid Request: Only 1 address supported'],
    ['logsSubscribe', [{ mentions: [ADDRESS, ADDRESS] }], 'Invalid Request: Only 1 address supported'],
    ['logsSubscribe', [{ mentions: ['short'] }], 'Invalid Request: Invalid mentions provided'],
    ['slotSubscribe', [1], 'Invalid parameters: No parameters were expected'],
    ['rootSubscribe', [1], 'Invalid parameters: No parameters were expected'],
    ...KINDS.flatMap((kind): [string, unknown, string][] => [
      [`${kind}Unsubscribe`, [1_000_000], 'Invalid subscription id.'],
      [`${kind}Unsubscribe`, [], 'invalid length 0, expected a tuple of size 1'],
      [`${kind}Unsubscribe`, ['1'], 'invalid type: string "1", expected u64'],
    ]),
  ];
  it.each(refusals)('%s of %j is refused: %s', async (method, params, message) => {
    const { connect } = await startWorld();
    const client = await connect();
    const { error } = await client.call(method, params as unknown[]);
    expect(error).toMatchObject({
      code: INVALID_PARAMS,
      message: expect.stringContaining(message),
    });
    expect(await client.subscribe('slotSubscribe')).toBeGreaterThan(0);
  });
});

describe('a connection', () => {
  it('executes a whole batch and responds only to the requests with an id', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const answers = await client.sendRaw(
      JSON.stringify([
        { jsonrpc: '2.0', id: 'a', method: 'slotSubscribe' },
        { jsonrpc: '2.0', method: 'nonsense' },
        { jsonrpc: '2.0', id: 'b', method: 'nonsense' },
      ]),
    );
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 'a', result: expect.any(Number) },
      { jsonrpc: '2.0', id: 'b', error: { code: -32601, message: 'Method not found' } },
    ]);
    network.tick();
    await client.untilCaughtUp();
    expect(client.notifications.map(({ method }) => method)).toEqual(['slotNotification']);
  });

  it('does not answer a batch without ids', async () => {
    const { connect } = await startWorld();
    const client = await connect();
    client.socket.send(
      '[{"jsonrpc":"2.0","method":"nonsense"},{"jsonrpc":"2.0","method":"slotUnsubscribe"}]',
    );
    await client.untilCaughtUp();
    expect(client.messages).toHaveLength(1);
  });

  it('returns one id for a repeated request, and notifies once', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('slotSubscribe');
    expect(await client.subscribe('slotSubscribe')).toBe(id);
    network.tick();
    await client.untilCaughtUp();
    expect(client.notificationsOf(id)).toHaveLength(1);
    expect(await client.call('slotUnsubscribe', [id])).toMatchObject({ result: true });
    expect(await client.call('slotUnsubscribe', [id])).toMatchObject({ error: { code: INVALID_PARAMS } });
  });

  it("neither ends nor receives another connection's subscriptions", async () => {
    const { network, connect } = await startWorld();
    const [first, other] = [await connect(), await connect()];
    const shared = await first.subscribe('slotSubscribe');
    expect(await other.subscribe('slotSubscribe')).toBe(shared);
    const address = await newAddress();
    const ownId = await first.subscribe('accountSubscribe', address, { commitment: 'processed' });
    expect(await other.call('accountUnsubscribe', [ownId])).toMatchObject({
      error: { code: INVALID_PARAMS },
    });
    expect(await other.call('slotUnsubscribe', [shared])).toMatchObject({ result: true });
    network.tick();
    await first.untilCaughtUp();
    await other.untilCaughtUp();
    expect(first.notificationsOf(shared)).toHaveLength(1);
    expect(other.notifications).toEqual([]);
  });

  it('ends a subscription by the unsubscribe method of another kind, as a cluster does', async () => {
    const { connect } = await startWorld();
    const client = await connect();
    const id = await client.subscribe('slotSubscribe');
    expect(await client.call('rootUnsubscribe', [id])).toMatchObject({ result: true });
  });

  it('accepts a request in a binary frame', async () => {
    const { connect } = await startWorld();
    const client = await connect();
    const request = Buffer.from('{"jsonrpc":"2.0","id":9,"method":"slotSubscribe"}');
    expect(await client.sendRaw(request)).toEqual({ jsonrpc: '2.0', id: 9, result: expect.any(Number) });
  });

  it('answers a ping', async () => {
    const { connect } = await startWorld();
    const client = await connect('/any/path?at=all');
    const pong = once(client.socket, 'pong');
    client.socket.ping('are you there');
    expect(String((await pong)[0])).toBe('are you there');
  });
});

describe('a fault of streams', () => {
  it.each([
    ['cut', 1006],
    ['end', 1001],
  ] as const)('%s closes every connection with %i', async (fault, code) => {
    const { network, connect } = await startWorld();
    const clients = [await connect(), await connect()];
    const closed = Promise.all(clients.map(({ socket }) => once(socket, 'close')));
    network.faults.set({ streams: { [fault]: true } });
    expect((await closed).map(([closeCode]) => closeCode)).toEqual([code, code]);
    expect(await (await connect()).subscribe('slotSubscribe')).toBeGreaterThan(0);
  });
});

describe('a fault of a method', () => {
  it.each([
    ['rate-limit', { code: 429, message: 'Too many requests for a specific RPC call' }],
    ['server-error', { code: -32603, message: 'Internal error' }],
  ] as const)('%s is returned once, as an error', async (fault, error) => {
    const { network, connect } = await startWorld();
    const client = await connect();
    network.faults.set({ methods: { slotSubscribe: { fault, times: 1 } } });
    expect(await client.call('slotSubscribe')).toEqual({ jsonrpc: '2.0', error, id: 1 });
    expect(await client.subscribe('slotSubscribe')).toBeGreaterThan(0);
  });

  it('disconnect after: executes the request and then closes the connection', async () => {
    const { network, connect } = await startWorld();
    const [caller, other] = [await connect(), await connect()];
    const id = await other.subscribe('slotSubscribe');
    network.faults.set({ methods: { '*': { fault: 'disconnect', times: 1, when: 'after' } } });
    const closed = once(caller.socket, 'close');
    caller.socket.send('{"jsonrpc":"2.0","id":1,"method":"rootSubscribe"}');
    await closed;
    expect(caller.messages).toEqual([]);
    // Ids are consecutive. The interrupted request used the one in between.
    expect(await other.subscribe('logsSubscribe', 'all')).toBe(id + 2);
  });

  it('timeout: does not answer the request', async () => {
    const { network, connect } = await startWorld();
    const client = await connect();
    network.faults.set({ methods: { slotSubscribe: { fault: 'timeout', times: 1 } } });
    client.socket.send('{"jsonrpc":"2.0","id":"never","method":"slotSubscribe"}');
    expect(await client.subscribe('slotSubscribe')).toBeGreaterThan(0);
    expect(client.messages).toHaveLength(1);
  });

  it('disconnect: closes the connection of the caller', async () => {
    const { network, connect } = await startWorld();
    const [caller, other] = [await connect(), await connect()];
    network.faults.set({ methods: { slotSubscribe: { fault: 'disconnect', times: 1 } } });
    const closed = once(caller.socket, 'close');
    caller.socket.send('{"jsonrpc":"2.0","id":1,"method":"slotSubscribe"}');
    await closed;
    expect(await other.subscribe('slotSubscribe')).toBeGreaterThan(0);
  });
});
