import type { ReadonlyUint8Array } from '@solana/kit';
import { cappedAt } from './fields.ts';

// Token-2022 pads a mint to the length of a token account. One byte with the account type follows,
// then the extensions, each as type u16, length u16 and value.
export const ACCOUNT_TYPE_AT = 165;

/** Token account extension: every transfer to the account needs a memo. */
const MEMO_TRANSFER = 8;

const [TRANSFER_FEE, CONFIDENTIAL_ACCOUNT, NON_TRANSFERABLE, TRANSFER_HOOK] = [1, 5, 9, 14];
/**
 * Two authorities of 32 bytes, the withheld amount, then the current and the next fee. Each fee has
 * an epoch, a maximum and a rate.
 */
const TRANSFER_FEE_BYTES = 108;
const [CURRENT_FEE_AT, NEXT_FEE_AT] = [72, 90];
const FEE_RATES_AT = [CURRENT_FEE_AT + 16, NEXT_FEE_AT + 16];
/** An authority, then the address of the hook's program: zeros if there is none. */
const TRANSFER_HOOK_BYTES = 64;
const HOOK_PROGRAM_AT = 32;
/**
 * Offset of the flag that says whether a confidential-transfer account also accepts ordinary
 * transfers.
 */
const ACCEPTS_ORDINARY_AT = 262;

/** The extensions of a Token-2022 account by type. */
export function extensionsOf(data: ReadonlyUint8Array): Map<number, ReadonlyUint8Array> {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  const extensions = new Map<number, ReadonlyUint8Array>();
  for (let at = ACCOUNT_TYPE_AT + 1; at + 4 <= data.length; ) {
    const type = view.getUint16(at, true);
    if (type === 0) break; // the remaining bytes are unused
    const end = at + 4 + view.getUint16(at + 2, true);
    extensions.set(type, data.slice(at + 4, end));
    at = end;
  }
  return extensions;
}

/** Whether a token account currently requires a memo; its owner may change that. */
export function requiresMemo(data: ReadonlyUint8Array): boolean {
  return extensionsOf(data).get(MEMO_TRANSFER)?.[0] === 1;
}

/**
 * Whether a token account currently accepts only confidential transfers; its owner may change that.
 */
export function isConfidentialOnly(data: ReadonlyUint8Array): boolean {
  return extensionsOf(data).get(CONFIDENTIAL_ACCOUNT)?.[ACCEPTS_ORDINARY_AT] === 0;
}

/**
 * Whether transfers of this mint pay a fee in this epoch. The issuer may change the rate at any
 * time. The new rate applies two epochs later. The program counts the withheld fee as paid.
 */
export function takesFee(mint: ReadonlyUint8Array, epoch: bigint): boolean {
  const fee = extensionsOf(mint).get(TRANSFER_FEE);
  if (fee?.length !== TRANSFER_FEE_BYTES) return fee !== undefined;
  const view = new DataView(fee.buffer, fee.byteOffset, fee.byteLength);
  const at = epoch >= cappedAt(fee, NEXT_FEE_AT) ? NEXT_FEE_AT : CURRENT_FEE_AT;
  return cappedAt(fee, at + 8) > 0n && view.getUint16(at + 16, true) > 0;
}

/**
 * Why plans with this mint cannot be paid in full, as text; null if they can. Since release 0.4.0
 * the program accepts all extensions, so dues checks what they do to a transfer:
 *
 * 1. A transfer hook with a program needs extra accounts in every transfer, which dues does not
 *    send. A hook without a program is harmless.
 * 2. A transfer fee, current or scheduled, takes a part of each payment. A zero fee is harmless.
 * 3. Non-transferable tokens cannot be paid.
 *
 * All other extensions are accepted. They are either the issuer's decision (a permanent delegate, a
 * close authority, metadata) or detected when a payment is collected (a pause, frozen accounts).
 */
export function obstacleOf(mint: ReadonlyUint8Array): string | null {
  const extensions = extensionsOf(mint);
  if (extensions.has(NON_TRANSFERABLE)) return 'non-transferable tokens';
  const hook = extensions.get(TRANSFER_HOOK);
  if (
    hook &&
    !(hook.length === TRANSFER_HOOK_BYTES && hook.slice(HOOK_PROGRAM_AT).every((byte) => byte === 0))
  ) {
    return 'a transfer hook with a program';
  }
  const fee = extensions.get(TRANSFER_FEE);
  if (fee && !(fee.length === TRANSFER_FEE_BYTES && FEE_RATES_AT.every((at) => !fee[at] && !fee[at + 1]))) {
    return 'a transfer fee, current or scheduled';
  }
  return null;
}
