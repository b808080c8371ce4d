import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
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

/** A field of the request that maps names to filters. The filter of an entry may be missing. */
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

/**
 * Decodes a SubscribeRequest. Rust clients, including the native one for Node, omit a filter
 * without fields from its map entry, as protobuf allows. The generated decoder then drops the whole
 * entry, so `slots: {all: {}}` would subscribe to nothing. This function restores those entries.
 *
 * @throws CallFailed
 */
export function decodeRequest(bytes: Uint8Array): SubscribeRequest {
  return decodeMessage({ decode: decodeWithEmptyFilters }, bytes);
}

function decodeWithEmptyFilters(bytes: Uint8Array): SubscribeRequest {
  const request = SubscribeRequest.decode(bytes);
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const type = tag & 7;
    // The generated decoder stops here too.
    if (tag === 0 || type === WireType.EndGroup) break;
    const map = type === WireType.LengthDelimited ? FILTER_MAPS[tag >>> 3] : undefined;
    if (!map) {
      reader.skip(type);
      continue;
    }
    const { key, value } = map.entry.decode(reader.bytes());
    const filters = request[map.field] as Record<string, unknown>;
    // The last of several entries with the same key counts, with or without a value.
    filters[key] = value ?? map.filter.fromPartial({});
  }
  return request;
}
