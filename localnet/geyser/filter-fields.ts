import type { Address } from '@solana/kit';
import { CommitmentLevel, type CuckooFilter } from '@triton-one/yellowstone-grpc';
import { decodeBase58 } from '../../src/base58/base58.ts';
import type { Commitment } from '../accounts.ts';
import { InvalidFilter } from './invalid-filter.ts';
import type { DataSlice } from './shapes.ts';

const MAX_NAME_BYTES = 128;
const ADDRESS_BYTES = 32;
const MAX_ADDRESS_LENGTH = 44;
const SIGNATURE_BYTES = 64;
/** Longer text is refused before decoding, whose time is quadratic in the length. */
const MAX_SIGNATURE_LENGTH = 88;

/** @throws InvalidFilter */
export function filterName(name: string): string {
  const size = Buffer.byteLength(name);
  if (size <= MAX_NAME_BYTES) return name;
  throw new InvalidFilter(`oversized filter name (max allowed size ${MAX_NAME_BYTES}), found ${size}`);
}

/** The bytes, or undefined if the text is not base58. */
export function parseBase58(text: string): Uint8Array | undefined {
  try {
    return decodeBase58(text);
  } catch {
    return undefined;
  }
}

/** @throws InvalidFilter */
export function addressSet(texts: readonly string[]): ReadonlySet<Address> {
  for (const text of texts) {
    if (text.length > MAX_ADDRESS_LENGTH) throw new InvalidFilter('String is the wrong size');
    const bytes = parseBase58(text);
    if (!bytes) throw new InvalidFilter('Invalid Base58 string');
    if (bytes.length !== ADDRESS_BYTES) throw new InvalidFilter('String is the wrong size');
  }
  return new Set(texts as Address[]);
}

/** @throws InvalidFilter */
export function signatureText(text: string): string {
  const wrongSize = 'string decoded to wrong size for signature';
  if (text.length > MAX_SIGNATURE_LENGTH) throw new InvalidFilter(wrongSize);
  const bytes = parseBase58(text);
  if (!bytes) throw new InvalidFilter('failed to decode string to signature');
  if (bytes.length !== SIGNATURE_BYTES) throw new InvalidFilter(wrongSize);
  return text;
}

/** @throws InvalidFilter */
export function commitmentOf(level: CommitmentLevel | undefined): Commitment {
  switch (level ?? CommitmentLevel.PROCESSED) {
    case CommitmentLevel.PROCESSED:
      return 'processed';
    case CommitmentLevel.CONFIRMED:
      return 'confirmed';
    case CommitmentLevel.FINALIZED:
      return 'finalized';
    default:
      throw new InvalidFilter(`failed to create CommitmentLevel from ${level}`);
  }
}

/** @throws InvalidFilter */
export function dataSlices(slices: readonly { offset: string; length: string }[]): DataSlice[] {
  const ranges = slices.map(({ offset, length }) => ({
    start: Number(offset),
    end: Number(offset) + Number(length),
  }));
  ranges.forEach(({ start }, index) => {
    const previous = ranges[index - 1];
    if (!previous) return;
    // The real server's message has this prefix twice: InvalidFilter adds the other one.
    if (start < previous.start) throw new InvalidFilter('failed to create filter: data slices out of order');
    if (start < previous.end) throw new InvalidFilter('failed to create filter: data slices overlapped');
  });
  return ranges;
}

/**
 * Refuses cuckoo-table filters, which are for lists of many thousands of addresses.
 *
 * @throws InvalidFilter
 */
export function refuseCuckoo(filter: CuckooFilter | undefined): void {
  if (filter) throw new InvalidFilter('cuckoo filters are not supported by the local network');
}
