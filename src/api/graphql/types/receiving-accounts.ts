import type { Obstacle } from '../../../chain/accounts/receiving-accounts.ts';
import {
  listReceivingAccounts,
  type ReceivingAccount,
  type ReceivingAccounts,
} from '../../../domain/accounts/merchant/receiving-accounts.ts';
import type { ReceivingToSign } from '../../../domain/accounts/merchant/receiving-transactions.ts';
import { builder } from '../builder.ts';
import { scopeOf } from '../context.ts';
import { Asset, assetOf } from './asset.ts';

const ReceivingAccountState = builder.enumType('ReceivingAccountState', {
  description: 'Whether a token account of the merchant can receive payments.',
  values: {
    READY: { description: 'It can receive payments.' },
    MISSING: { description: 'It does not exist: `receivingAccountsTransaction` creates it.' },
    FROZEN: { description: 'It is frozen: ask the issuer of the token.' },
    REQUIRES_MEMO: { description: 'It accepts only transfers with a memo. Its owner can change that.' },
    CONFIDENTIAL: { description: 'It accepts only confidential transfers. Its owner can change that.' },
    UNREADABLE: { description: 'It cannot be read as an account of this token.' },
    OTHER_OWNER: { description: 'It belongs to another wallet now.' },
    HAS_DELEGATE: { description: 'Its owner lets another account spend its tokens. Revoke that.' },
    HAS_CLOSE_AUTHORITY: { description: 'Its owner lets another account close it. Remove that authority.' },
  } satisfies Record<'READY' | Uppercase<Obstacle>, { description: string }>,
});

const ReceivingAccountRef = builder.objectRef<ReceivingAccount>('ReceivingAccount').implement({
  description: 'A token account in which a merchant receives payments, as the chain shows it.',
  fields: (t) => ({
    number: t.exposeInt('number', {
      description: "Number of the account, from 1. The first is the wallet's associated token account.",
    }),
    address: t.exposeString('address', {
      description:
        'Address of the account. From number 2 on it is derived from your wallet with a seed: docs/receiving-accounts.md.',
    }),
    state: t.field({
      type: ReceivingAccountState,
      description: 'Whether it can receive payments.',
      resolve: ({ obstacle }) =>
        obstacle === null ? 'READY' : (obstacle.toUpperCase() as Uppercase<Obstacle>),
    }),
    isUsed: t.exposeBoolean('isUsed', {
      description: 'Whether payments go into it: it is READY, and its number is at most `count`.',
    }),
    balance: t.field({
      type: 'TokenAmount',
      description: 'Your tokens in it, in base units.',
      resolve: ({ amount }) => amount,
    }),
  }),
});

export const ReceivingAccountsRef = builder.objectRef<ReceivingAccounts>('ReceivingAccounts').implement({
  description: 'The token accounts in which a merchant receives one token.',
  fields: (t) => ({
    asset: t.field({
      type: Asset,
      description: 'The token.',
      resolve: ({ environment, asset }, _args, context) => assetOf(context, environment, asset.mint),
    }),
    count: t.exposeInt('count', {
      description:
        'Number of accounts that payments are divided among, 1 to 8; default 1. Those that are not READY are left out.',
    }),
    accounts: t.expose('accounts', {
      type: [ReceivingAccountRef],
      description: 'The accounts up to that number, and further ones that exist.',
    }),
  }),
});

export const ReceivingToSignRef = builder.objectRef<ReceivingToSign>('ReceivingAccountsToSign').implement({
  description: 'Receiving accounts, and a transaction that changes them.',
  requires: null,
  fields: (t) => ({
    receivingAccounts: t.expose('receivingAccounts', {
      type: ReceivingAccountsRef,
      description: 'The accounts before the transaction.',
    }),
    transaction: t.exposeString('transaction', {
      description:
        "Unsigned transaction in base64, which the merchant's wallet must sign and send within about a minute.",
    }),
  }),
});

builder.queryFields((t) => ({
  receivingAccounts: t.field({
    type: [ReceivingAccountsRef],
    args: { mint: t.arg.string({ description: 'Mint of a token of your plans; default all of them.' }) },
    description:
      'Token accounts in which you receive the tokens of your plans, at most 12 tokens. Errors: `authentication_error`; `invalid_request`, param `mint`, if no plan has that token or the network cannot be read.',
    resolve: (_root, { mint }, context) =>
      listReceivingAccounts(context.app, scopeOf(context), mint ?? undefined),
  }),
}));
