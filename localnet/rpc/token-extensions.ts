import { ByteReader } from '../byte-reader.ts';

/** Extensions follow the account-type byte, which follows the fields of a plain token account. */
const EXTENSIONS_OFFSET = 166;

type State = Record<string, unknown> | null;
const ACCOUNT_STATES = ['uninitialized', 'initialized', 'frozen'] as const;
const readNothing = (): State => null;
const readTransferFee = (r: ByteReader) => ({
  epoch: r.u64(),
  maximumFee: r.u64(),
  transferFeeBasisPoints: r.u16(),
});

/** By extension type: Agave's name and fields. Confidential-transfer extensions are not parsed. */
const EXTENSIONS: Readonly<Record<number, readonly [string, (r: ByteReader) => State]>> = {
  1: [
    'transferFeeConfig',
    (r) => ({
      transferFeeConfigAuthority: r.optionalAddress(),
      withdrawWithheldAuthority: r.optionalAddress(),
      withheldAmount: r.u64(),
      olderTransferFee: readTransferFee(r),
      newerTransferFee: readTransferFee(r),
    }),
  ],
  2: ['transferFeeAmount', (r) => ({ withheldAmount: r.u64() })],
  3: ['mintCloseAuthority', (r) => ({ closeAuthority: r.optionalAddress() })],
  6: ['defaultAccountState', (r) => ({ accountState: ACCOUNT_STATES[r.u8()] ?? 'uninitialized' })],
  7: ['immutableOwner', readNothing],
  8: ['memoTransfer', (r) => ({ requireIncomingTransferMemos: r.bool() })],
  9: ['nonTransferable', readNothing],
  10: [
    'interestBearingConfig',
    (r) => ({
      rateAuthority: r.optionalAddress(),
      initializationTimestamp: r.i64(),
      preUpdateAverageRate: r.i16(),
      lastUpdateTimestamp: r.i64(),
      currentRate: r.i16(),
    }),
  ],
  11: ['cpiGuard', (r) => ({ lockCpi: r.bool() })],
  12: ['permanentDelegate', (r) => ({ delegate: r.optionalAddress() })],
  13: ['nonTransferableAccount', readNothing],
  14: ['transferHook', (r) => ({ authority: r.optionalAddress(), programId: r.optionalAddress() })],
  15: ['transferHookAccount', (r) => ({ transferring: r.bool() })],
  18: ['metadataPointer', (r) => ({ authority: r.optionalAddress(), metadataAddress: r.optionalAddress() })],
  19: [
    'tokenMetadata',
    (r) => ({
      updateAuthority: r.optionalAddress(),
      mint: r.address(),
      name: r.string(),
      symbol: r.string(),
      uri: r.string(),
      additionalMetadata: Array.from({ length: r.u32() }, () => [r.string(), r.string()]),
    }),
  ],
  20: ['groupPointer', (r) => ({ authority: r.optionalAddress(), groupAddress: r.optionalAddress() })],
  21: [
    'tokenGroup',
    (r) => ({ updateAuthority: r.optionalAddress(), mint: r.address(), size: r.u64(), maxSize: r.u64() }),
  ],
  22: ['groupMemberPointer', (r) => ({ authority: r.optionalAddress(), memberAddress: r.optionalAddress() })],
  23: ['tokenGroupMember', (r) => ({ mint: r.address(), group: r.address(), memberNumber: r.u64() })],
  25: [
    'scaledUiAmountConfig',
    (r) => ({
      authority: r.optionalAddress(),
      multiplier: String(r.f64()),
      newMultiplierEffectiveTimestamp: r.i64(),
      newMultiplier: String(r.f64()),
    }),
  ],
  26: ['pausableConfig', (r) => ({ authority: r.optionalAddress(), paused: r.bool() })],
  27: ['pausableAccount', readNothing],
};

/**
 * The extensions of a Token-2022 account or mint, in the order they are stored and in Agave's
 * shape.
 */
export function tokenExtensionsOf(data: Uint8Array): unknown[] {
  const found: unknown[] = [];
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  let offset = EXTENSIONS_OFFSET;
  while (offset + 4 <= data.length) {
    const type = view.getUint16(offset, true);
    const length = view.getUint16(offset + 2, true);
    if (type === 0) break;
    found.push(parseExtension(type, data.subarray(offset + 4, offset + 4 + length)));
    offset += 4 + length;
  }
  return found;
}

function parseExtension(type: number, content: Uint8Array): unknown {
  const extensionType = EXTENSIONS[type];
  if (!extensionType) return { extension: 'unparseableExtension' };
  const [extension, read] = extensionType;
  try {
    const state = read(new ByteReader(content));
    return state ? { extension, state } : { extension };
  } catch (error) {
    if (error instanceof RangeError) return { extension: 'unparseableExtension' };
    throw error;
  }
}
