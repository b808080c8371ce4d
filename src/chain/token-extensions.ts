import type { ReadonlyUint8Array } from '@solana/kit';

// Token-2022 pads a mint to the length of a token account; then one byte says which of them it is, then the
// extensions follow: type u16, length u16, value.
export const ACCOUNT_TYPE_AT = 165;

/** Of a token account: whoever pays into it must say why in a memo. */
export const MEMO_TRANSFER = 8;

/** The extensions behind a Token-2022 account: their values by their types. */
export function extensionsOf(data: ReadonlyUint8Array): Map<number, ReadonlyUint8Array> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const extensions = new Map<number, ReadonlyUint8Array>();
  for (let at = ACCOUNT_TYPE_AT + 1; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true);
    if (type === 0) break; // the rest is not used yet
    const end = at + 4 + view.getUint16(at + 2, true);
    extensions.set(type, data.slice(at + 4, end));
    at = end;
  }
  return extensions;
}

/** Whether a token account takes no transfer without a memo just now: its owner may switch that. */
export function requiresMemo(data: ReadonlyUint8Array): boolean {
  return extensionsOf(data).get(MEMO_TRANSFER)?.[0] === 1;
}
