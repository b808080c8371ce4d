import {
  receivingAccountsTransaction,
  sweepReceivingAccountsTransaction,
} from '../../../domain/accounts/merchant/receiving-transactions.ts';
import { setReceivingAccounts } from '../../../domain/accounts/merchant/set-receiving-accounts.ts';
import { actingScopeOf } from '../arguments/acting-scope.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { ReceivingAccountsRef, ReceivingToSignRef } from '../types/receiving-accounts.ts';

builder.mutationFields((t) => ({
  setReceivingAccounts: t.field({
    type: ReceivingAccountsRef,
    args: {
      mint: t.arg.string({ required: true, description: 'Mint of a token of your plans.' }),
      count: t.arg.int({ required: true, description: 'Number of accounts, 1 to 8.' }),
    },
    description:
      'Sets the number of token accounts among which payments in a token are divided. An account is used once it exists: `receivingAccountsTransaction` creates it. Accounts beyond the number keep their tokens. Errors: `authentication_error`; `invalid_request`, param `mint` or `count`.',
    resolve: (_root, input, context) => setReceivingAccounts(context.app, actingScopeOf(context), input),
  }),
  receivingAccountsTransaction: t.field({
    type: ReceivingToSignRef,
    args: { mint: t.arg.string({ required: true, description: 'Mint of a token of your plans.' }) },
    description:
      'Creates the transaction with which your wallet creates the receiving accounts that are missing, four at most, and pays their rent. Call it again for more. Errors: `authentication_error`; `invalid_request`, param `mint`, if none is missing, your wallet has too little SOL, or the network would refuse it.',
    resolve: (_root, { mint }, context) => receivingAccountsTransaction(context.app, scopeOf(context), mint),
  }),
  sweepReceivingAccountsTransaction: t.field({
    type: ReceivingToSignRef,
    args: { mint: t.arg.string({ required: true, description: 'Mint of a token of your plans.' }) },
    description:
      'Creates the transaction with which your wallet moves the tokens of its other receiving accounts into its associated account, from which wallets pay. Frozen accounts are left out. Errors: `authentication_error`; `invalid_request`, param `mint`, if there is nothing to move, your wallet has too little SOL, or the network would refuse it.',
    resolve: (_root, { mint }, context) =>
      sweepReceivingAccountsTransaction(context.app, scopeOf(context), mint),
  }),
}));
