import { status } from '@grpc/grpc-js';
import { expect, test } from 'vitest';
import { type Request, startGeyser, subscribe } from './client.ts';
import { encode, failureOf, rawCall, rawSubscribe } from './raw-client.ts';
import { accountOf, newAddress } from './transactions.ts';

test.each<[string, Request, string]>([
  ['an account of the wrong size', { accounts: { a: { account: ['abc'] } } }, 'String is the wrong size'],
  ['an account with invalid characters', { accounts: { a: { owner: ['0OIl'] } } }, 'Invalid Base58 string'],
  [
    'a signature of the wrong size',
    { transactions: { t: { signature: 'abc' } } },
    'string decoded to wrong size for signature',
  ],
  [
    'a signature that is far too long',
    { transactions: { t: { signature: 'z'.repeat(300_000) } } },
    'string decoded to wrong size for signature',
  ],
  [
    'a name that is too long',
    { slots: { ['x'.repeat(129)]: {} } },
    'oversized filter name (max allowed size 128), found 129',
  ],
  [
    'too many filters of an account',
    { accounts: { a: { filters: Array(5).fill({ lamports: { gt: '1' } }) } } },
    'Too many filters provided; max 4',
  ],
  [
    'two sizes',
    { accounts: { a: { filters: [{ datasize: '1' }, { datasize: '2' }] } } },
    'datasize used more than once',
  ],
  ['an empty filter of an account', { accounts: { a: { filters: [{}] } } }, 'filter should be defined'],
  [
    'memcmp with nothing to compare',
    { accounts: { a: { filters: [{ memcmp: { offset: '1' } }] } } },
    'data for memcmp should be defined',
  ],
  [
    'memcmp with invalid base64',
    { accounts: { a: { filters: [{ memcmp: { base64: '*' } }] } } },
    'invalid base64',
  ],
  [
    'memcmp with too many bytes',
    { accounts: { a: { filters: [{ memcmp: { bytes: new Uint8Array(129) } }] } } },
    'data too large',
  ],
  [
    'lamports without a comparison',
    { accounts: { a: { filters: [{ lamports: {} }] } } },
    'cmp for lamports should be defined',
  ],
  [
    'a false token account state',
    { accounts: { a: { filters: [{ tokenAccountState: false }] } } },
    'token_account_state only allowed to be true',
  ],
  ['an unknown commitment', { commitment: 7 as never }, 'failed to create CommitmentLevel from 7'],
  [
    'an unknown mode of token accounts',
    { transactions: { t: { tokenAccounts: 9 as never } } },
    'invalid token_accounts mode value 9; expected ALL (0) or BALANCE_CHANGED (1)',
  ],
  [
    'slices out of order',
    {
      accountsDataSlice: [
        { offset: '5', length: '1' },
        { offset: '1', length: '1' },
      ],
    },
    'failed to create filter: data slices out of order',
  ],
  [
    'slices that overlap',
    {
      accountsDataSlice: [
        { offset: '1', length: '5' },
        { offset: '3', length: '9' },
      ],
    },
    'failed to create filter: data slices overlapped',
  ],
  [
    'a cuckoo filter',
    { accounts: { a: { cuckooAccountsFilter: { bucketCount: 1 } } } },
    'cuckoo filters are not supported by the local network',
  ],
])('%s is an invalid argument', async (_what, request, reason) => {
  const { port } = await startGeyser();
  const stream = rawSubscribe(port);
  stream.write(encode(request));
  expect(await failureOf(stream)).toEqual({
    code: status.INVALID_ARGUMENT,
    details: `failed to create filter: ${reason}`,
  });
});

test('bytes that are not a request end only their own stream', async () => {
  const { network, port, url } = await startGeyser();
  const healthy = await subscribe(url, { accounts: { a: {} } });
  for (const bytes of [Buffer.of(0xff), Buffer.of(0x0a, 0x50, 0x01), Buffer.from('not protobuf at all')]) {
    const stream = rawSubscribe(port);
    stream.write(bytes);
    const { code, details } = await failureOf(stream);
    expect(code).toBe(status.INTERNAL);
    expect(details).toContain('failed to decode Protobuf message');
  }
  await expect(rawCall(port, 'GetSlot', Buffer.of(0xff))).rejects.toMatchObject({ code: status.INTERNAL });
  network.setAccount(await newAddress(), accountOf({}));
  expect(await healthy.settled()).toHaveLength(1);
});

test('an unknown method is unimplemented', async () => {
  const { port } = await startGeyser();
  await expect(rawCall(port, 'SubscribeDeshred', Buffer.alloc(0))).rejects.toMatchObject({
    code: status.UNIMPLEMENTED,
  });
});
