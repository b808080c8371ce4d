import type { ReadonlyUint8Array } from '@solana/kit';
import { cappedAt } from './fields.ts';

// Token-2022 pads a mint to the length of a token account. One byte with the account type follows,
// then the extensions, each as type u16, length u16 and value.
export const ACCOUNT_TYPE_AT = 165;

/** Extensions of token accounts. */
const [CONFIDENTIAL_ACCOUNT, MEMO_TRANSFER] = [5, 8];
/** Extensions of mints that change what a transfer does, or whether it is possible. */
const [TRANSFER_FEE, CLOSE_AUTHORITY, DEFAULT_STATE, PERMANENT_DELEGATE] = [1, 3, 6, 12];
const [TRANSFER_HOOK, PAUSABLE] = [14, 26];
/**
 * Extensions of mints that plans accept: those above, confidential transfers and their fees (4,
 * 16), which ordinary transfers do not use, and metadata, groups and their pointers (18 to 23).
 */
const ACCEPTED: ReadonlySet<number> = new Set([
  ...[TRANSFER_FEE, CLOSE_AUTHORITY, 4, DEFAULT_STATE, PERMANENT_DELEGATE, TRANSFER_HOOK],
  ...[16, 18, 19, 20, 21, 22, 23, PAUSABLE],
]);
/** Extensions of mints with which wallets show another amount than the one that is charged. */
const SHOWN_OTHERWISE: Readonly<Record<number, string>> = {
  10: 'interest (interest-bearing mint, extension 10)',
  25: 'scaled amounts (scaled UI amount, extension 25)',
};
/** Extensions of mints whose tokens cannot be collected, with their names. */
const REFUSED: Readonly<Record<number, string>> = {
  9: 'non-transferable tokens (extension 9)',
  24: 'confidential minting (confidential mint and burn, extension 24)',
};
/**
 * Two authorities of 32 bytes, the withheld amount, then the current and the next fee. Each fee has
 * an epoch, a maximum and a rate.
 */
const TRANSFER_FEE_BYTES = 108;
const [CURRENT_FEE_AT, NEXT_FEE_AT] = [72, 90];
/** After the authority that may pause. */
const PAUSED_AT = 32;
/** The default state of accounts that are created frozen. */
const FROZEN = 2;
/** Offset of the flag that says whether a mint has a freeze authority. */
const FREEZE_AUTHORITY_AT = 46;
const ADDRESS_BYTES = 32;
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

/**
 * What the token program requires of an account by the extensions of its mint, in bytes: the fee that was
 * withheld, a flag for the hook, and nothing for the pause.
 */
const REQUIRED_OF_ACCOUNTS: ReadonlyMap<number, number> = new Map([
  [TRANSFER_FEE, 8],
  [TRANSFER_HOOK, 1],
  [PAUSABLE, 0],
]);
/** The type and the length of an extension. */
const EXTENSION_HEADER_BYTES = 4;

/** The length of a Token-2022 account of a mint, whose owner cannot change (an extension without a value). */
export function tokenAccountBytes(mint: ReadonlyUint8Array): number {
  const values = [0];
  for (const type of extensionsOf(mint).keys()) {
    const bytes = REQUIRED_OF_ACCOUNTS.get(type);
    if (bytes !== undefined) values.push(bytes);
  }
  return values.reduce((sum, bytes) => sum + EXTENSION_HEADER_BYTES + bytes, ACCOUNT_TYPE_AT + 1);
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

/** A transfer fee that begins in a later epoch. */
export interface ScheduledFee {
  readonly epoch: bigint;
  /** Hundredths of a percent. */
  readonly basisPoints: number;
}

/** The facts of a Token-2022 mint that decide whether its payments can be collected now. */
export interface MintFacts {
  /**
   * Whether transfers pay a fee in this epoch. The issuer may change the rate at any time. The new
   * rate applies two epochs later. The program counts the withheld fee as paid.
   */
  readonly takesFee: boolean;
  /** Null if no fee is scheduled, or there is a fee already. */
  readonly scheduledFee: ScheduledFee | null;
  /** Whether transfers call a program, which needs accounts that dues does not send. */
  readonly hasHook: boolean;
  readonly isPaused: boolean;
  /** Whether the issuer must thaw each new token account. */
  readonly startsFrozen: boolean;
}

/**
 * Reads the facts from the data of a mint. An extension of an unexpected length counts as one that
 * prevents collection.
 */
export function mintFacts(mint: ReadonlyUint8Array, epoch: bigint): MintFacts {
  const extensions = extensionsOf(mint);
  const fee = feesOf(extensions.get(TRANSFER_FEE));
  const hasBegun = fee !== null && fee !== 'unreadable' && epoch >= fee.next.epoch;
  const takesFee = fee === 'unreadable' || (fee !== null && isFee(hasBegun ? fee.next : fee.current));
  const isScheduled = fee !== null && fee !== 'unreadable' && !hasBegun && isFee(fee.next);
  return {
    takesFee,
    scheduledFee: isScheduled && !takesFee ? fee.next : null,
    hasHook: hasHookProgram(extensions.get(TRANSFER_HOOK)),
    isPaused: (extensions.get(PAUSABLE)?.[PAUSED_AT] ?? 0) !== 0,
    startsFrozen: accountsStartFrozen(mint),
  };
}

/** Whether the issuer must thaw each new token account of this mint. It may change that. */
export function accountsStartFrozen(mint: ReadonlyUint8Array): boolean {
  return extensionsOf(mint).get(DEFAULT_STATE)?.[0] === FROZEN;
}

interface Fee extends ScheduledFee {
  /** Maximum of one transfer, in base units. */
  readonly maximum: bigint;
}

const isFee = ({ maximum, basisPoints }: Fee) => maximum > 0n && basisPoints > 0;

function feesOf(
  value: ReadonlyUint8Array | undefined,
): { readonly current: Fee; readonly next: Fee } | 'unreadable' | null {
  if (!value) return null;
  if (value.length !== TRANSFER_FEE_BYTES) return 'unreadable';
  const view = new DataView(value.buffer, value.byteOffset, value.byteLength);
  const feeAt = (at: number): Fee => ({
    epoch: cappedAt(value, at),
    maximum: cappedAt(value, at + 8),
    basisPoints: view.getUint16(at + 16, true),
  });
  return { current: feeAt(CURRENT_FEE_AT), next: feeAt(NEXT_FEE_AT) };
}

function hasHookProgram(hook: ReadonlyUint8Array | undefined): boolean {
  if (!hook) return false;
  return hook.length !== TRANSFER_HOOK_BYTES || hook.slice(HOOK_PROGRAM_AT).some((byte) => byte !== 0);
}

/**
 * Why plans with this mint are refused, as text that names the extension; null if they are
 * accepted. Since release 0.4.0 the program accepts all extensions, so dues checks what they do to
 * a transfer: docs/tokens.md.
 *
 * @param isListed whether the operator lists the mint, and so accepts that wallets show other
 *   amounts than those that are charged
 */
export function obstacleOf(mint: ReadonlyUint8Array, isListed: boolean): string | null {
  const extensions = extensionsOf(mint);
  for (const [type, value] of extensions) {
    const obstacle = REFUSED[type] ?? (isListed ? undefined : SHOWN_OTHERWISE[type]);
    if (obstacle) return obstacle;
    if (type === TRANSFER_HOOK && hasHookProgram(value))
      return 'a transfer hook with a program (extension 14)';
    if (type === TRANSFER_FEE) {
      const fee = feesOf(value);
      if (fee === 'unreadable' || (fee && (fee.current.basisPoints > 0 || fee.next.basisPoints > 0)))
        return 'a transfer fee, current or scheduled (extension 1)';
    }
    if (!ACCEPTED.has(type) && !(type in SHOWN_OTHERWISE)) return `the unknown extension ${type}`;
  }
  return null;
}

/** What the issuer of a token can do with the tokens of others. */
export interface IssuerPowers {
  /** Freeze the tokens of a wallet, so that it cannot pay. */
  readonly canFreeze: boolean;
  /** Move or burn the tokens of any wallet. */
  readonly canTake: boolean;
  /** Stop all transfers. */
  readonly canPause: boolean;
  /** Close the mint once no tokens are left. */
  readonly canClose: boolean;
}

/** Reads what the issuer of a Token-2022 mint can do. */
export function issuerPowers(mint: ReadonlyUint8Array): IssuerPowers {
  const extensions = extensionsOf(mint);
  const hasAddress = (type: number) =>
    extensions
      .get(type)
      ?.slice(0, ADDRESS_BYTES)
      .some((byte) => byte !== 0) === true;
  return {
    canFreeze: mint[FREEZE_AUTHORITY_AT] === 1,
    canTake: hasAddress(PERMANENT_DELEGATE),
    canPause: hasAddress(PAUSABLE),
    canClose: hasAddress(CLOSE_AUTHORITY),
  };
}
