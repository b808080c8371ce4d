import {
  type Address,
  createNoopSigner,
  getBase64EncodedWireTransaction,
  type Instruction,
} from '@solana/kit';
import { getAllocateWithSeedInstruction, getTransferSolInstruction } from '@solana-program/system';
import {
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getInitializeImmutableOwnerInstruction,
  getTransferCheckedInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token';
import { TOKEN_ACCOUNT_BYTES } from '../accounts/accounts.ts';
import { readRent } from '../accounts/lamports-needed.ts';
import { mintDecimals } from '../accounts/mint-decimals.ts';
import { readAccounts } from '../accounts/read-accounts.ts';
import { type ReceivedAsset, receivingSeed } from '../accounts/receiving-accounts.ts';
import { tokenAccountBytes } from '../accounts/token-extensions.ts';
import type { Chain } from '../chain.ts';
import { failureOf, refusalFor, unsignedTransaction } from './unsigned-transaction.ts';

/** A receiving account that is created, or whose tokens are moved. */
export interface NumberedAccount {
  /** 1 for the associated account. */
  readonly number: number;
  readonly address: Address;
}

/** Maximum accounts that one transaction creates, by its size. */
export const MAX_CREATED_ACCOUNTS = 4;

/**
 * Creates the transaction with which a wallet creates its receiving accounts, at most
 * `MAX_CREATED_ACCOUNTS`, and pays their rent. Unsigned, in base64.
 *
 * @throws TransactionRefused if a simulation shows that the chain would refuse it; NodeBehind
 */
export async function createReceivingAccountsTransaction(
  chain: Chain,
  asset: ReceivedAsset,
  missing: readonly NumberedAccount[],
): Promise<string> {
  const { owner, mint, tokenProgram } = asset;
  const created = missing.slice(0, MAX_CREATED_ACCOUNTS);
  const [mintAccount, ...existing] = await readAccounts(
    chain,
    [mint, ...created.map(({ address }) => address)],
    'extensions',
  );
  const space =
    tokenProgram === TOKEN_PROGRAM_ADDRESS
      ? TOKEN_ACCOUNT_BYTES
      : tokenAccountBytes(mintAccount?.data ?? new Uint8Array());
  const rent = await readRent(chain, space);
  const payer = createNoopSigner(owner);
  const instructions = created.flatMap(({ number, address }, index): Instruction[] => {
    if (number === 1) {
      return [
        getCreateAssociatedTokenIdempotentInstruction({ payer, ata: address, owner, mint, tokenProgram }),
      ];
    }
    // Anyone can send SOL to the address, and the instruction that creates an account would then fail.
    const lacks = rent - (existing[index]?.lamports ?? 0n);
    const config = { programAddress: tokenProgram };
    return [
      ...(lacks > 0n
        ? [getTransferSolInstruction({ source: payer, destination: address, amount: lacks })]
        : []),
      getAllocateWithSeedInstruction({
        newAccount: address,
        baseAccount: payer,
        base: owner,
        seed: receivingSeed(mint, number),
        space,
        programAddress: tokenProgram,
      }),
      // The program of the first release has accounts of one size, whose owner can change.
      ...(tokenProgram === TOKEN_PROGRAM_ADDRESS
        ? []
        : [getInitializeImmutableOwnerInstruction({ account: address }, config)]),
      getInitializeAccount3Instruction({ account: address, mint, owner }, config),
    ];
  });
  return unlessRefused(
    chain,
    owner,
    instructions,
    created.map(() => space),
  );
}

/** An account and what it has, in base units. */
export interface FilledAccount extends NumberedAccount {
  readonly amount: bigint;
}

/**
 * Creates the transaction with which a wallet moves the tokens of its other receiving accounts into the
 * associated account, which is created if it is missing. Unsigned, in base64.
 *
 * @throws TransactionRefused if a simulation shows that the chain would refuse it
 */
export async function sweepTransaction(
  chain: Chain,
  { owner, mint, tokenProgram }: ReceivedAsset,
  { to, from }: { readonly to: Address; readonly from: readonly FilledAccount[] },
): Promise<string> {
  const decimals = await mintDecimals(chain, mint);
  const authority = createNoopSigner(owner);
  const instructions = [
    getCreateAssociatedTokenIdempotentInstruction({ payer: authority, ata: to, owner, mint, tokenProgram }),
    ...from.map(({ address, amount }) =>
      getTransferCheckedInstruction(
        { source: address, mint, destination: to, authority, amount, decimals },
        { programAddress: tokenProgram },
      ),
    ),
  ];
  return unlessRefused(chain, owner, instructions, []);
}

async function unlessRefused(
  chain: Chain,
  wallet: Address,
  instructions: readonly Instruction[],
  newAccounts: readonly number[],
): Promise<string> {
  const transaction = await unsignedTransaction(chain, wallet, instructions);
  const failure = await failureOf(chain, transaction);
  if (failure) throw await refusalFor(chain, transaction, failure, newAccounts);
  return getBase64EncodedWireTransaction(transaction);
}
