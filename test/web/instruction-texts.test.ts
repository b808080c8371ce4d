/** What the local wallet says about the instructions of a transaction. */
import { type Address, address, createNoopSigner, type Instruction } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { expect, it } from 'vitest';
import { instructionTexts } from '../../localnet/wallet/instruction-texts.ts';

const MINT = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const OTHER_MINT = address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB');
const CUSTOMER = address('vines1vzrYbzLMRdu58ou5XTby4qAqVRLmqo36NKPTg');
const MERCHANT = createNoopSigner(address('De1egAFMkMWZSN5rYXRj9CAdheBamobVNubTsi9avR44'));
const [destination] = await findAssociatedTokenPda({
  owner: CUSTOMER,
  mint: MINT,
  tokenProgram: TOKEN_PROGRAM_ADDRESS,
});

const textsOf = (...instructions: Instruction[]) =>
  instructionTexts(
    instructions.map(({ programAddress, accounts = [], data }) => ({
      program: programAddress,
      accounts: accounts.map((account) => account.address),
      data: Uint8Array.from(data ?? []),
    })),
    MINT,
  );
const sendTokens = (amount: bigint, mint: Address = MINT) =>
  getTransferCheckedInstruction({
    source: OTHER_MINT,
    mint,
    destination,
    authority: MERCHANT,
    amount,
    decimals: 6,
  });

it.each([
  [2_500_000n, '2.5'],
  [1n, '0.000001'],
  [1_000_000n, '1'],
  [0n, '0'],
  [2n ** 64n - 1n, '18446744073709.551615'],
])('a transfer of %s base units says the amount and the receiver', (amount, shown) => {
  expect(textsOf(sendTokens(amount))).toEqual([
    `Token: send ${shown} USDC to the token account ${destination}`,
  ]);
});

it('a transfer names the wallet whose token account the transaction creates', () => {
  const create = getCreateAssociatedTokenIdempotentInstruction({
    payer: MERCHANT,
    ata: destination,
    owner: CUSTOMER,
    mint: MINT,
  });
  expect(textsOf(create, sendTokens(2_000_000n))).toEqual([
    'Associated token account',
    `Token: send 2 USDC to the wallet ${CUSTOMER}`,
  ]);
});

it('other tokens are named by their address, and SOL by its symbol', () => {
  expect(textsOf(sendTokens(5n, OTHER_MINT))).toEqual([
    `Token: send 0.000005 of the token ${OTHER_MINT} to the token account ${destination}`,
  ]);
  const unchecked = getTransferInstruction({
    source: OTHER_MINT,
    destination,
    authority: MERCHANT,
    amount: 7n,
  });
  expect(textsOf(unchecked)).toEqual([`Token: send 7 base units to the token account ${destination}`]);
  const sol = getTransferSolInstruction({ source: MERCHANT, destination: CUSTOMER, amount: 10_000_000n });
  expect(textsOf(sol)).toEqual([`System: send 0.01 SOL to the wallet ${CUSTOMER}`]);
});
