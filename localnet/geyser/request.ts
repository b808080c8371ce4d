import {
  SubscribeRequest,
  SubscribeRequest_AccountsEntry,
  SubscribeRequest_BlocksEntry,
  SubscribeRequest_BlocksMetaEntry,
  SubscribeRequest_EntryEntry,
  SubscribeRequest_SlotsEntry,
  SubscribeRequest_TransactionsEntry,
  SubscribeRequest_TransactionsStatusEntry,
  SubscribeRequestFilterAccounts,
  SubscribeRequestFilterBlocks,
  SubscribeRequestFilterBlocksMeta,
  SubscribeRequestFilterEntry,
  SubscribeRequestFilterSlots,
  SubscribeRequestFilterTransactions,
} from '@triton-one/yellowstone-grpc';
import { decodeMessage } from './failures.ts';

/** An entry of a filter map whose value may be missing, and what a missing one stands for. */
interface FilterMap {
  readonly field: keyof SubscribeRequest;
  readonly entry: { decode(bytes: Uint8Array): { key: string; value: unknown } };
  readonly filter: { fromPartial(fields: object): unknown };
}

const FILTER_MAPS: Readonly<Record<number, FilterMap>> = {
  1: { field: 'accounts', entry: SubscribeRequest_AccountsEntry, filter: SubscribeRequestFilterAccounts },
  2: { field: 'slots', entry: SubscribeRequest_SlotsEntry, filter: SubscribeRequestFilterSlots },
  3: {
    field: 'transactions',
    entry: SubscribeRequest_TransactionsEntry,
    filter: SubscribeRequestFilterTransactions,
  },
  4: { field: 'blocks', entry: SubscribeRequest_BlocksEntry, filter: SubscribeRequestFilterBlocks },
  5: {
    field: 'blocksMeta',
    entry: SubscribeRequest_BlocksMetaEntry,
    filter: SubscribeRequestFilterBlocksMeta,
  },
  8: { field: 'entry', entry: SubscribeRequest_EntryEntry, filter: SubscribeRequestFilterEntry },
  10: {
    field: 'transactionsStatus',
    entry: SubscribeRequest_TransactionsStatusEntry,
    filter: SubscribeRequestFilterTransactions,
  },
};

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;

/**
 * Decodes a SubscribeRequest. Clients in Rust, the native one for Node among them, leave a filter without fields
 * out of its map entry, as protobuf allows; the generated decoder then drops the whole entry, so `slots: {all: {}}`
 * would subscribe to nothing. Those entries are put back here.
 *
 * @throws CallFailed
 */
export function decodeRequest(bytes: Uint8Array): SubscribeRequest {
  const request = decodeMessage(SubscribeRequest, bytes);
  for (const [number, content] of delimitedFields(bytes)) {
    const map = FILTER_MAPS[number];
    if (!map) continue;
    const { key, value } = map.entry.decode(content);
    if (value !== undefined) continue;
    const filters = request[map.field] as Record<string, unknown>;
    filters[key] = map.filter.fromPartial({});
  }
  return request;
}

/** The length-delimited fields of a message that is known to decode. */
function* delimitedFields(bytes: Uint8Array): Generator<[number: number, content: Uint8Array]> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const type = tag % 8;
    if (type === DELIMITED) {
      const length = varint();
      yield [Math.floor(tag / 8), bytes.subarray(at, at + length)];
      at += length;
    } else if (type === VARINT) varint();
    else at += type === FIXED64 ? 8 : 4;
  }
}
