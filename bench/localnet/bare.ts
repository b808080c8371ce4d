// LiteSVM alone, in a process of its own: it decodes and runs transactions, and nothing else. The
// network uses the same native class.
import type { Address } from '@solana/kit';
import { LiteSvm } from 'litesvm/dist/internal.js';
import { addressBytes } from '../../localnet/address-bytes.ts';
import { type OwnProcessorTime, ownProcessorTime } from '../lib/own-processor-time.ts';

/** `payers`: receive SOL. `wires`: transactions in base64, which must all succeed. */
export type BareRequest = { readonly payers: readonly Address[] } | { readonly wires: readonly string[] };

export interface BareRun extends OwnProcessorTime {
  readonly seconds: number;
}

const LAMPORTS = 1_000_000_000_000n;
const svm = new LiteSvm();
svm.setBlockhashCheck(false);

process.on('message', (request: BareRequest) => {
  if ('payers' in request) {
    for (const payer of request.payers) svm.airdrop(addressBytes(payer), LAMPORTS);
    process.send?.({});
    return;
  }
  const before = ownProcessorTime();
  const since = performance.now();
  for (const wire of request.wires) {
    const result = svm.sendVersionedTransaction(Buffer.from(wire, 'base64'));
    if ('err' in result) throw new Error(String(result.err()));
  }
  const seconds = (performance.now() - since) / 1_000;
  const microseconds = ownProcessorTime().microseconds - before.microseconds;
  process.send?.({ seconds, microseconds } satisfies BareRun);
});
