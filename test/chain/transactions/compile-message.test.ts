import {
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionDecoder,
  type KeyPairSigner,
  pipe,
  type ReadonlyUint8Array,
  setTransactionMessageComputeUnitLimit,
  setTransactionMessageComputeUnitPrice,
  setTransactionMessageConfig,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
} from '@solana/kit';
import { getTransferSubscriptionInstruction } from '@solana/subscriptions';
import { getCreateAssociatedTokenIdempotentInstruction } from '@solana-program/token';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pull } from '../../../src/chain/accounts/pulls.ts';
import type { MessageTerms } from '../../../src/chain/transactions/pull-message.ts';
import { messageOf, pullInstructions } from '../../../src/chain/transactions/pull-message.ts';
import { signPulls } from '../../../src/chain/transactions/pull-transactions.ts';
import { anyPulls, anySigners, anyVersion } from '../any-pulls.ts';
import { USDC } from '../world.ts';

const blockhash = { blockhash: USDC as string as Blockhash, lastValidBlockHeight: 0n };
/** kit refuses more pulls, because they would not fit into a transaction. */
const somePulls = anyPulls.map((pulls) => pulls.slice(0, 11));
const anyTerms = fc.record({
  version: anyVersion,
  computeUnits: fc.integer({ min: 1, max: 1_400_000 }),
  price: fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 1_000_000_000n })),
});

test('a message of dues equals the one that the official clients build', () => {
  fc.assert(
    fc.property(somePulls, anyTerms, anySigners, (pulls, terms, by) => {
      const { feePayer, collector }: Signers = by;
      const payer = (feePayer ?? collector).address;
      const { instructions, firstPull } = pullInstructions(collector.address, pulls);
      const compiled = read(messageOf(payer, instructions, { ...terms, blockhash }));
      const official = read(compileTransaction(officialMessage(by, pulls, terms)).messageBytes);
      expect(decompileTransactionMessage(compiled)).toEqual(decompileTransactionMessage(official));
      expect(compiled.header).toEqual(official.header);
      expect(compiled.staticAccounts.toSorted()).toEqual(official.staticAccounts.toSorted());
      expect(instructions).toHaveLength(firstPull + pulls.length);
    }),
  );
});

test('a signed transaction is decoded and verified by other libraries', async () => {
  await fc.assert(
    fc.asyncProperty(somePulls, anyTerms, anySigners, async (pulls, terms, by) => {
      const { wire, signature } = await signPulls(by, pulls, { ...terms, blockhash });
      const transaction = getTransactionDecoder().decode(wire);
      expect(getSignatureFromTransaction(transaction)).toBe(signature);
      const signers = Object.values(by);
      expect(Object.keys(transaction.signatures)).toEqual(signers.map(({ address }) => address));
      for (const { address, keyPair } of signers) {
        const isValid = await crypto.subtle.verify(
          'Ed25519',
          keyPair.publicKey,
          transaction.signatures[address] as Uint8Array<ArrayBuffer>,
          transaction.messageBytes as object as Uint8Array<ArrayBuffer>,
        );
        expect(isValid).toBe(true);
      }
    }),
    { numRuns: 30 },
  );
});

function read(bytes: ReadonlyUint8Array) {
  return getCompiledTransactionMessageDecoder().decode(bytes);
}

interface Signers {
  readonly collector: KeyPairSigner;
  readonly feePayer?: KeyPairSigner;
}

function officialMessage(
  { collector, feePayer = collector }: Signers,
  pulls: readonly Pull[],
  terms: Omit<MessageTerms, 'blockhash'>,
) {
  const { version, computeUnits: computeUnitLimit, price } = terms;
  const missing = new Map(pulls.filter((p) => p.receiverIsMissing).map((p) => [p.receiverTokenAccount, p]));
  const instructions = [
    ...[...missing.values()].map(({ receiver, receiverTokenAccount: ata, mint, tokenProgram }) =>
      getCreateAssociatedTokenIdempotentInstruction({
        payer: collector,
        owner: receiver,
        ata,
        mint,
        tokenProgram,
      }),
    ),
    ...pulls.map((pull) =>
      getTransferSubscriptionInstruction({
        subscriptionPda: pull.subscription,
        planPda: pull.plan,
        subscriptionAuthority: pull.authority,
        delegatorAta: pull.payerTokenAccount,
        receiverAta: pull.receiverTokenAccount,
        caller: collector,
        tokenMint: pull.mint,
        tokenProgram: pull.tokenProgram,
        transferData: { amount: pull.amount, delegator: pull.payer, mint: pull.mint },
      }),
    ),
  ];
  if (version === 1) {
    const priorityFeeLamports = (price * BigInt(computeUnitLimit) + 999_999n) / 1_000_000n;
    const limits = { computeUnitLimit, loadedAccountsDataSizeLimit: 8 * 1024 * 1024 };
    return pipe(
      createTransactionMessage({ version }),
      (m) => setTransactionMessageConfig(price > 0n ? { ...limits, priorityFeeLamports } : limits, m),
      (m) => setTransactionMessageFeePayer(feePayer.address, m),
      (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
      (m) => appendTransactionMessageInstructions(instructions, m),
    );
  }
  return pipe(
    createTransactionMessage({ version: version as 0 }),
    (m) => setTransactionMessageFeePayer(feePayer.address, m),
    (m) => setTransactionMessageLifetimeUsingBlockhash(blockhash, m),
    (m) => appendTransactionMessageInstructions(instructions, m),
    (m) => setTransactionMessageComputeUnitLimit(computeUnitLimit, m),
    (m) => (price > 0n ? setTransactionMessageComputeUnitPrice(price, m) : m),
  );
}
