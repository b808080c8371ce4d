import { z } from '@hono/zod-openapi';
import type { CheckoutTransactions } from '../../domain/checkout/signing/transactions-to-sign.ts';
import { exactObject } from './exact-object.ts';
import { EXAMPLE } from './examples.ts';
import { jsonBody } from './responses.ts';

/** A wallet that wants to complete a checkout session. */
export const walletRequest = {
  params: z.object({ sessionId: z.string().openapi({ example: EXAMPLE.sessionId }) }),
  body: jsonBody(
    exactObject({
      userWallet: z.string().openapi({ description: 'Wallet that will pay, in base58' }),
    }).openapi({ example: { userWallet: EXAMPLE.walletAddress } }),
  ),
};

/** What a wallet pays if it approves now, and its balance. */
export const walletTerms = {
  sponsored: z.boolean().openapi({
    description:
      "True if the service pays the fee and the deposits. The transaction then has the service's signature and must not be changed",
  }),
  trialPeriodSeconds: z.string().openapi({
    description:
      'Seconds of free trial that the wallet has left, as a string; `0` without a trial, or if the wallet has already had the trial of the plan',
  }),
  dueNow: z.string().openapi({
    description:
      'Amount that is collected as soon as the wallet has approved, in base units of the token; `0` in a trial, or if the wallet has already paid the current interval',
  }),
  nextPaymentDate: z.iso.datetime().openapi({
    description: 'Due date of the first payment that is not collected at once, if the wallet approves now',
  }),
  costs: z.object({
    fee: z.string().openapi({ description: 'Network fee in lamports' }),
    deposits: z.string().openapi({
      description:
        'Deposits for new accounts in lamports. Their payer gets them back when the accounts are closed',
    }),
  }),
  balance: z.object({
    amount: z.string().openapi({ description: "Balance of the wallet in base units of the plan's token" }),
    recommended: z.string().openapi({
      description: "Recommended balance in base units of the plan's token: three payments",
    }),
    sufficient: z.boolean().openapi({ description: 'Whether the balance is at least the recommended one' }),
    lamports: z
      .string()
      .openapi({ description: 'Balance of the wallet in lamports, from which it pays network fees' }),
  }),
};

/** The terms in the form of `walletTerms`: amounts are integer strings. */
export function toWalletTerms({ costs, balance, ...checkout }: CheckoutTransactions) {
  const { amount, recommended, sufficient, lamports } = balance;
  return {
    sponsored: checkout.sponsored ?? false,
    trialPeriodSeconds: `${checkout.trialSeconds}`,
    dueNow: `${checkout.dueNow}`,
    nextPaymentDate: checkout.nextPaymentAt.toISOString(),
    costs: { fee: `${costs.fee}`, deposits: `${costs.deposits}` },
    balance: { amount: `${amount}`, recommended: `${recommended}`, sufficient, lamports: `${lamports}` },
  };
}
