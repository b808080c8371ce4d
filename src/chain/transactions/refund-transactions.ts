import {
  AccountRole,
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token';
import { tokenAccountAddress } from '../accounts/addresses.ts';
import { cappedAt } from '../accounts/fields.ts';
import { mintDecimals } from '../accounts/mint-decimals.ts';
import type { Chain } from '../chain.ts';
import type { ChainTransaction } from '../rpc/chain-transaction.ts';
import type { TransactionFailure } from '../rpc/transaction-failure.ts';
import { memoInstruction } from './memo.ts';
import { TransactionRefused } from './transaction-refused.ts';
import { failureOf, unsignedTransaction } from './unsigned-transaction.ts';

/** Index of the transfer among the instructions of a refund transaction. */
const TRANSFER_INDEX = 2;

/** The amount of a refund, its payer and its receiver. */
export interface RefundTerms {
  /** The wallet that sends the tokens and signs. */
  readonly merchant: Address;
  /** The wallet that receives them. */
  readonly customer: Address;
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly amount: bigint;
  /** An address that only the transfer of this refund names. */
  readonly reference: Address;
}

/**
 * Creates the transaction that sends a refund from a token account of the merchant to the customer's,
 * which is created if it is missing. Its form is that of a Solana Pay transfer: a memo, then the
 * transfer with the reference among its accounts. Unsigned, in base64.
 *
 * @throws TransactionRefused if the chain would refuse it
 */
export async function refundTransaction(
  chain: Chain,
  terms: RefundTerms & {
    /** The merchant's token account that pays; default the associated one. */
    readonly source: Address | undefined;
  },
  memo: string,
): Promise<string> {
  const { merchant, customer, mint, tokenProgram, amount, reference } = terms;
  const [decimals, source, destination] = await Promise.all([
    mintDecimals(chain, mint),
    terms.source ?? tokenAccountAddress(merchant, mint, tokenProgram),
    tokenAccountAddress(customer, mint, tokenProgram),
  ]);
  const authority = createNoopSigner(merchant);
  const transfer = getTransferCheckedInstruction(
    { source, mint, destination, authority, amount, decimals },
    { programAddress: tokenProgram },
  );
  const instructions: Instruction[] = [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: authority,
      ata: destination,
      owner: customer,
      mint,
      tokenProgram,
    }),
    memoInstruction(memo),
    { ...transfer, accounts: [...transfer.accounts, { address: reference, role: AccountRole.READONLY }] },
  ];
  const transaction = await unsignedTransaction(chain, merchant, instructions);
  const failure = await failureOf(chain, transaction);
  if (!failure) return getBase64EncodedWireTransaction(transaction);
  throw new TransactionRefused(lacksTokens(failure) ? 'insufficient_tokens' : failure);
}

/** Whether the merchant has too few tokens, or no account of the token. */
function lacksTokens({ instruction, name, custom }: TransactionFailure): boolean {
  if (instruction !== TRANSFER_INDEX) return false;
  return custom === null ? MISSING_SOURCE_ERRORS.has(name) : custom === INSUFFICIENT_FUNDS;
}

const INSUFFICIENT_FUNDS = 1;
const MISSING_SOURCE_ERRORS: ReadonlySet<string> = new Set([
  'InvalidAccountData',
  'InvalidAccountOwner',
  'IncorrectProgramId',
  'UninitializedAccount',
]);

/** A transfer of a transaction that pays a refund. */
export interface RefundTransfer {
  /** Its index among all instructions of the transaction, each followed by its inner ones. */
  readonly index: number;
  readonly amount: bigint;
}

/**
 * The transfers of a transaction that pay a refund: at least the refund's amount, in its token,
 * signed by the merchant's wallet, to the customer's token account, with the reference among the
 * accounts of the transfer itself. A failed transaction has none.
 *
 * Anyone can name the reference in a transaction, so only such a transfer counts. Without the
 * merchant's signature, others, such as the customer, could make a refund appear paid.
 */
export async function refundTransfers(
  { err, instructions }: Pick<ChainTransaction, 'err' | 'instructions'>,
  { merchant, customer, mint, tokenProgram, amount, reference }: RefundTerms,
): Promise<RefundTransfer[]> {
  if (err) return [];
  // The address is derived from the mint, so every transfer to it is in that token.
  const destination = await tokenAccountAddress(customer, mint, tokenProgram);
  return instructions.flatMap((instruction, index) => {
    const { program, accounts } = instruction;
    // A transfer from the customer's account to itself, by the merchant as its delegate, pays
    // nothing.
    if (program !== tokenProgram || accounts[0] === destination) return [];
    // The accounts are compared first: anyone can name the reference in calls with much data, which
    // is decoded when it is first read.
    const layout = LAYOUTS.find(
      (each) =>
        accounts[each.destination] === destination &&
        accounts[each.authority] === merchant &&
        accounts.includes(reference, each.authority + 1),
    );
    if (!layout) return [];
    const { data } = instruction;
    const pays = data[0] === layout.number && data.length >= TRANSFER_BYTES && cappedAt(data, 1) >= amount;
    return pays ? [{ index, amount: cappedAt(data, 1) }] : [];
  });
}

/** Whether a transaction transfers tokens out of an account, signed by its owner. */
export function sendsFrom(
  { instructions }: Pick<ChainTransaction, 'instructions'>,
  { account, owner, tokenProgram }: Record<'account' | 'owner' | 'tokenProgram', Address>,
): boolean {
  return instructions.some(
    ({ program, accounts, data }) =>
      program === tokenProgram &&
      accounts[0] === account &&
      LAYOUTS.some(({ number, authority }) => data[0] === number && accounts[authority] === owner),
  );
}

/**
 * The instructions that transfer, with the indexes of their accounts. The source is always first.
 * Both token programs use the same layouts.
 */
const LAYOUTS = [
  /** Transfer: source, destination, authority. */
  { number: 3, destination: 1, authority: 2 },
  /** TransferChecked: source, mint, destination, authority. */
  { number: 12, destination: 2, authority: 3 },
];
/** Minimum length of the data: the instruction's number and the amount. */
const TRANSFER_BYTES = 9;
