import { generateKeyPairSigner, getBase58Decoder } from '@solana/kit';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { signedTransfer } from '../../../tools/world/wallet.ts';
import { base64, ONE_SOL, startWorld } from './world.ts';

const TRANSACTION = 'solana_transaction::versioned::VersionedTransaction';
const WALLET = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T';
const bytes = (length: number, first = 0) => Uint8Array.from({ length }, (_, i) => (i === 0 ? first : 1));

async function post(url: string, body: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const text = await (await fetch(url, { method: 'POST', headers, body })).text();
  return text === '' ? '' : JSON.parse(text);
}

const errorResponse = (code: number, message: string, id: unknown = null) => ({
  jsonrpc: '2.0',
  error: { code, message },
  id,
});
const healthRequest = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'getHealth' });
const healthResponse = (id: unknown) => ({ jsonrpc: '2.0', result: 'ok', id });

describe('a request', () => {
  it.each([
    ['that is not JSON', '{"jsonrpc":', errorResponse(-32700, 'Parse error')],
    ['without a body', '', errorResponse(-32700, 'Parse error')],
    ['that is a number', '5', errorResponse(-32700, 'Parse error')],
    ['that is null', 'null', errorResponse(-32700, 'Parse error')],
    ['without a method', '{}', errorResponse(-32600, 'Invalid request')],
    [
      'with a method that is not a string',
      '{"jsonrpc":"2.0","id":1,"method":5}',
      errorResponse(-32600, 'Invalid request', 1),
    ],
    [
      'of another version',
      '{"jsonrpc":"1.0","id":1,"method":"getHealth"}',
      errorResponse(-32600, 'Invalid request', 1),
    ],
    [
      'without a version',
      '{"id":1,"method":"getHealth"}',
      errorResponse(-32600, 'Unsupported JSON-RPC protocol version', 1),
    ],
    [
      'with an object as its id',
      '{"jsonrpc":"2.0","id":{},"method":"getHealth"}',
      errorResponse(-32600, 'Invalid request'),
    ],
    [
      'for an unknown method',
      '{"jsonrpc":"2.0","id":"a","method":"getMoney"}',
      errorResponse(-32601, 'Method not found', 'a'),
    ],
    [
      'for a property that every object has',
      '{"jsonrpc":"2.0","id":1,"method":"__proto__"}',
      errorResponse(-32601, 'Method not found', 1),
    ],
    [
      'with named parameters',
      '{"jsonrpc":"2.0","id":1,"method":"getHealth","params":{}}',
      errorResponse(-32602, '`params` should be an array', 1),
    ],
    [
      'with a string as its parameters',
      '{"jsonrpc":"2.0","id":1,"method":"getHealth","params":"x"}',
      errorResponse(-32600, 'Invalid request', 1),
    ],
    ['that is a notification', '{"jsonrpc":"2.0","method":"getHealth"}', ''],
    ['with null as its id', JSON.stringify(healthRequest(null)), healthResponse(null)],
    ['in an empty batch', '[]', errorResponse(-32600, 'Invalid request')],
    [
      'in a batch',
      JSON.stringify([healthRequest(1), healthRequest('b')]),
      [healthResponse(1), healthResponse('b')],
    ],
    [
      'in a batch with an invalid request',
      JSON.stringify([1, healthRequest(2), { jsonrpc: '2.0', method: 'getHealth' }]),
      [errorResponse(-32600, 'Invalid request'), healthResponse(2)],
    ],
    ['in a batch of notifications', JSON.stringify([{ jsonrpc: '2.0', method: 'getHealth' }]), ''],
  ])('%s is answered as a cluster does', async (_, body, expected) => {
    const { url } = await startWorld();
    expect(await post(url, body)).toEqual(expected);
  });

  it('whose method throws is answered with an internal error', async () => {
    const bug = new TypeError('a bug');
    const throwing = () => {
      throw bug;
    };
    const log = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => log.mockRestore());
    const { refusal, ask } = await startWorld({ methods: { throwing } });
    expect(await refusal('throwing')).toEqual({ code: -32603, message: 'Internal error' });
    expect(log).toHaveBeenCalledWith(bug);
    expect(await ask('getHealth')).toBe('ok');
  });

  it('for an added asynchronous method is answered', async () => {
    const methods = { asynchronous: async (_: unknown, params: readonly unknown[]) => params };
    const { ask } = await startWorld({ methods });
    expect(await ask('asynchronous', 1, 'two')).toEqual([1, 'two']);
  });
});

describe('parameters', () => {
  it.each([
    ['getBalance', [], '`params` should have at least 1 argument(s)'],
    ['getBalance', [WALLET, {}, 1], 'Invalid parameters: Expected from 1 to 2 parameters.'],
    ['getBalance', [5], 'Invalid params: invalid type: integer `5`, expected a string.'],
    ['getBalance', [null], 'Invalid params: invalid type: null, expected a string.'],
    ['getBalance', ['abc'], 'Invalid param: WrongSize'],
    ['getBalance', [WALLET.replace('4', '0')], 'Invalid param: Invalid'],
    ['getBalance', [`${WALLET}${WALLET}`], 'Invalid param: WrongSize'],
    [
      'getBalance',
      [WALLET, 'confirmed'],
      'Invalid params: invalid type: string "confirmed", expected a map.',
    ],
    [
      'getBalance',
      [WALLET, { commitment: 'sure' }],
      'Invalid params: unknown variant `sure`, expected one of `processed`, `confirmed`, `finalized`.',
    ],
    [
      'getBalance',
      [WALLET, { minContextSlot: -1 }],
      'Invalid params: invalid value: integer `-1`, expected u64.',
    ],
    [
      'getBalance',
      [WALLET, { minContextSlot: 1.5 }],
      'Invalid params: invalid type: floating point `1.5`, expected u64.',
    ],
    [
      'getMultipleAccounts',
      [WALLET],
      `Invalid params: invalid type: string "${WALLET}", expected a sequence.`,
    ],
    [
      'getAccountInfo',
      [WALLET, { dataSlice: { offset: 0 } }],
      'Invalid params: invalid type: null, expected u64.',
    ],
    ['getSignatureStatuses', [['abc']], 'Invalid param: WrongSize'],
    ['getTransaction', [WALLET], 'Invalid param: WrongSize'],
    ['isBlockhashValid', ['abc'], 'Invalid param: WrongSize'],
    ['getBlock', ['1'], 'Invalid params: invalid type: string "1", expected u64.'],
    ['getSlot', [true], 'Invalid params: invalid type: boolean `true`, expected a map.'],
    [
      'getProgramAccounts',
      [WALLET, { withContext: 1 }],
      'Invalid params: invalid type: integer `1`, expected a boolean.',
    ],
    ['requestAirdrop', [WALLET, -1], 'Invalid params: invalid value: integer `-1`, expected u64.'],
  ])('of %s that are invalid (%j) are refused', async (method, params, message) => {
    const { refusal } = await startWorld();
    expect(await refusal(method, ...params)).toMatchObject({ code: -32602, message });
  });

  it('must name a known encoding', async () => {
    const { refusal } = await startWorld();
    expect((await refusal('getAccountInfo', WALLET, { encoding: 'hex' })).message).toBe(
      'Invalid params: unknown variant `hex`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.',
    );
  });
});

describe('a transaction', () => {
  it.each([
    ['that is not base64', '!!!!', 'base64', 'invalid base64 encoding: InvalidByte(0, 33)'],
    ['that is incomplete base64', 'AQI', 'base64', 'invalid base64 encoding: InvalidPadding'],
    [
      'that is not base58',
      '0OIl',
      'base58',
      "invalid base58 encoding: InvalidCharacter { character: '0', index: 0 }",
    ],
    ['in JSON', '{}', 'json', 'unsupported encoding: json. Supported encodings: base58, base64'],
    [
      'that is too large in base64',
      base64(bytes(5000)),
      'base64',
      `base64 encoded ${TRANSACTION} too large: 6668 bytes (max: encoded/raw 5464/4096)`,
    ],
    [
      'that is too large in base58',
      '1'.repeat(6000),
      'base58',
      `base58 encoded ${TRANSACTION} too large: 6000 bytes (max: encoded/raw 5594/4096)`,
    ],
    [
      'that is too large for its version in base64',
      base64(bytes(1300)),
      'base64',
      `base64 encoded ${TRANSACTION} too large: 1736 bytes (max: encoded/raw 1644/1232)`,
    ],
    [
      'that is one byte too large for its version',
      base64(bytes(1233)),
      'base64',
      `decoded ${TRANSACTION} too large: 1233 bytes (max: 1232 bytes)`,
    ],
    [
      'that is too large for its version in base58',
      getBase58Decoder().decode(bytes(1300, 1)),
      'base58',
      /^base58 encoded .*1683\/1232\)$/,
    ],
    [
      'without bytes',
      '',
      'base64',
      /^failed to deserialize solana_transaction::versioned::VersionedTransaction: /,
    ],
    ['of random bytes', base64(bytes(100)), 'base64', /^failed to deserialize /],
    ['of version 1 with random bytes', base64(bytes(3000, 0x81)), 'base64', /^failed to deserialize /],
  ])('%s is refused', async (_, text, encoding, message) => {
    const { refusal } = await startWorld();
    for (const method of ['sendTransaction', 'simulateTransaction']) {
      const error = await refusal(method, text, { encoding });
      expect(error).toMatchObject({ code: -32602, message: expect.stringMatching(asPattern(message)) });
    }
  });

  it('with a program index out of range is refused', async () => {
    const { network, payer, sendWire } = await startWorld();
    const { address } = await generateKeyPairSigner();
    const wire = await signedTransfer(network, payer, address, ONE_SOL, 'legacy');
    // The instruction follows the signature, the header, three keys and the blockhash. Its program
    // is the third key.
    const programIndex = 1 + 64 + 3 + 1 + 3 * 32 + 32 + 1;
    expect(wire[programIndex]).toBe(2);
    expect((await sendWire(wire.with(programIndex, 9))).error).toEqual({
      code: -32602,
      message: 'invalid transaction: Transaction failed to sanitize accounts offsets correctly',
    });
  });

  it('with bytes after its end is refused', async () => {
    const { network, payer, sendWire } = await startWorld();
    const { address } = await generateKeyPairSigner();
    const wire = await signedTransfer(network, payer, address, ONE_SOL);
    const { error } = await sendWire(Uint8Array.of(...wire, 0));
    expect(error).toMatchObject({ code: -32602 });
  });

  it('message that cannot be decoded is refused by getFeeForMessage', async () => {
    const { refusal } = await startWorld();
    expect(await refusal('getFeeForMessage', base64(bytes(20)))).toMatchObject({
      code: -32602,
      message: expect.stringMatching(/^failed to deserialize solana_message::versions::VersionedMessage: /),
    });
  });
});

function asPattern(message: string | RegExp): RegExp {
  return typeof message === 'string'
    ? new RegExp(`^${message.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`)
    : message;
}
