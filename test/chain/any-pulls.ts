import { type Address, generateKeyPairSigner, getAddressDecoder } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import fc from 'fast-check';
import type { Pull } from '../../src/chain/accounts/pulls.ts';
import type { MessageVersion } from '../../src/chain/transactions/compile-message.ts';
import { USDC } from './world.ts';

/** Returns an address; equal arguments return equal addresses. */
function addressOf(kind: number, number: number): Address {
  return getAddressDecoder().decode(
    Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? kind : number + 1)),
  );
}

export function pullOf({
  plan,
  payer,
  receiver,
  missing,
}: Record<'plan' | 'payer' | 'receiver', number> & { missing: boolean }): Pull {
  return {
    subscription: addressOf(1, payer),
    payer: addressOf(2, payer),
    payerTokenAccount: addressOf(3, payer),
    authority: addressOf(4, payer),
    plan: addressOf(5, plan),
    receiver: addressOf(6, receiver),
    receiverTokenAccount: addressOf(7, receiver),
    receiverIsMissing: missing,
    mint: USDC,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
    amount: 1n,
  };
}

export const anyPulls = fc
  .array(fc.record({ plan: fc.nat(3), receiver: fc.nat(3), missing: fc.boolean() }), {
    minLength: 1,
    maxLength: 40,
  })
  .map((shapes) => {
    // All pulls of a receiver agree on whether its account exists.
    const missing = new Map(shapes.map(({ receiver, missing }) => [receiver, missing]));
    return shapes.map(({ plan, receiver }, payer) =>
      pullOf({ plan, payer, receiver, missing: missing.get(receiver) ?? false }),
    );
  });
const collector = await generateKeyPairSigner();
const feePayer = await generateKeyPairSigner();
/** The collector alone, or with a fee payer. */
export const anySigners = fc.constantFrom({ collector }, { feePayer, collector });
export const anyVersion = fc.constantFrom<MessageVersion>(1, 0, 'legacy');
