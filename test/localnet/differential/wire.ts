/**
 * Encodes legacy transactions without signatures, which the machines of this folder do not check.
 */
import { addressBytes } from '../../../localnet/address-bytes.ts';
import { type Call, KEY_BYTES, type Meta } from './call.ts';

const SIGNATURE_BYTES = 64;

/** The addresses of a transaction in order, and its bytes. */
export interface Wire {
  readonly keys: readonly Meta[];
  readonly bytes: Uint8Array;
}

/**
 * Compiles calls as a wallet does: the fee payer, then the other signers, then the other accounts,
 * and in each group the writable accounts first.
 */
export function wireOf(feePayer: Meta['address'], calls: readonly Call[]): Wire {
  const keys = orderedKeys(feePayer, calls);
  const indexes = new Map(keys.map(({ address }, index) => [address, index]));
  const signers = keys.filter((key) => key.signer);
  const others = keys.filter((key) => !key.signer);
  const message = [
    Uint8Array.of(signers.length, readonlyCount(signers), readonlyCount(others)),
    shortLength(keys.length),
    ...keys.map(({ address }) => addressBytes(address)),
    new Uint8Array(KEY_BYTES), // the blockhash
    shortLength(calls.length),
    ...calls.flatMap(({ program, accounts, data }) => [
      Uint8Array.of(indexes.get(program) as number),
      shortLength(accounts.length),
      Uint8Array.from(accounts, ({ address }) => indexes.get(address) as number),
      shortLength(data.length),
      data,
    ]),
  ];
  const signatures = new Uint8Array(SIGNATURE_BYTES * signers.length);
  return {
    keys,
    bytes: new Uint8Array(Buffer.concat([shortLength(signers.length), signatures, ...message])),
  };
}

function orderedKeys(feePayer: Meta['address'], calls: readonly Call[]): Meta[] {
  const keys = new Map<string, Meta>([[feePayer, { address: feePayer, signer: true, writable: true }]]);
  const programs = calls.map(({ program }) => ({ address: program, signer: false, writable: false }));
  for (const meta of [...calls.flatMap(({ accounts }) => accounts), ...programs]) {
    const earlier = keys.get(meta.address);
    keys.set(meta.address, {
      address: meta.address,
      signer: meta.signer || earlier?.signer === true,
      writable: meta.writable || earlier?.writable === true,
    });
  }
  const rank = ({ signer, writable }: Meta) => (signer ? 0 : 2) + (writable ? 0 : 1);
  return [...keys.values()].sort((a, b) => rank(a) - rank(b));
}

function readonlyCount(keys: readonly Meta[]): number {
  return keys.filter(({ writable }) => !writable).length;
}

/** Solana's compact length: 7 bits per byte, least significant first. */
function shortLength(length: number): Uint8Array {
  return length < 0x80 ? Uint8Array.of(length) : Uint8Array.of((length & 0x7f) | 0x80, length >> 7);
}
