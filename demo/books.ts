import { styleText } from 'node:util';
import type { Address } from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { USDC_MINT } from '../localnet/genesis.ts';
import { TOKEN_PROGRAM } from '../localnet/token.ts';
import type { AppContext } from '../src/app.ts';
import { tokenAccountAddress } from '../src/chain/accounts/addresses.ts';
import { sumTransfersBySource } from '../tools/chain-transfers.ts';
import type { SmtpReceiver } from '../tools/smtp-receiver.ts';
import type { Merchant } from '../tools/world/merchant.ts';
import { CAST, IN_GRACE, isSponsoring, type Part, PLANS, type Story, WITHOUT_SOL } from './story.ts';
import type { StoryNetwork } from './story-network.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** One figure of the final table. */
interface Figure {
  readonly name: string;
  readonly found: string;
  readonly expected: string;
}

/**
 * Compares the story with the database, the chain and the webhooks, and prints a table. Returns
 * whether all figures are as expected.
 */
export async function checkBooks(
  ctx: Pick<AppContext, 'config' | 'db'>,
  network: StoryNetwork,
  merchantWallet: Address,
  merchant: Merchant,
  story: Story,
  { receiver, smtp }: { readonly receiver: WebhookReceiver; readonly smtp?: SmtpReceiver },
): Promise<boolean> {
  const { db } = ctx;
  const subscriptions = await merchant.subscriptions();
  const figures: Figure[] = CAST.map(({ role, count, payments, status }) => {
    const customers = story.customers.filter(({ part }) => part.role === role);
    const found = customers.map(({ subscription }) => subscriptions.find(({ id }) => id === subscription));
    const matching = found.filter(
      (customerSubscription) =>
        customerSubscription?.status === status && customerSubscription.paymentCount === payments,
    );
    return {
      name: `${count} × ${role}`,
      found: `${matching.length} × ${status.toLowerCase()}, ${payments} payments`,
      expected: `${count} × ${status.toLowerCase()}, ${payments} payments`,
    };
  });

  const expected = CAST.reduce((sum, part) => sum + paidBy(part) * BigInt(part.count), 0n);
  const paid = await db.payment.findMany({
    where: { status: 'SUCCEEDED' },
    include: { subscription: { select: { address: true } } },
  });
  const inDatabase = paid.reduce((sum, { paidAmount }) => sum + paidAmount, 0n);
  const account = await tokenAccountAddress(merchantWallet, USDC_MINT, TOKEN_PROGRAM);
  const received = await network.tokensOf(merchantWallet);
  const successes = receiver.received.filter(({ event }) => event === 'subscription.payment_succeeded');
  const inWebhooks = successes.reduce((sum, { data }) => sum + BigInt(data.amount ?? 0), 0n);

  const transferred = await sumTransfersBySource(network.rpcUrl, account);
  const differing = story.customers.filter(({ part, app, subscription }) => {
    const rows = paid.filter((payment) => payment.subscription.address === subscription);
    const booked = rows.reduce((sum, { paidAmount }) => sum + paidAmount, 0n);
    const inEvents = receiver
      .of(subscription)
      .filter(({ event }) => event === 'subscription.payment_succeeded')
      .reduce((sum, { data }) => sum + BigInt(data.amount ?? 0), 0n);
    // Every customer has one subscription, so it pulled all tokens that left the wallet.
    const pulled = transferred.get(app.tokenAccount(new PublicKey(USDC_MINT))) ?? 0n;
    return [booked, inEvents, pulled].some((sum) => sum !== paidBy(part));
  });
  const refunds = await db.refund.findMany({ where: { status: 'SUCCEEDED' } });
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0n);
  const refundedInEvents = receiver.received
    .filter(({ event }) => event === 'payment.refunded')
    .reduce((sum, { data }) => sum + BigInt(data.amount ?? 0), 0n);
  figures.push(
    { name: 'payments in the database', found: usdc(inDatabase), expected: usdc(expected) },
    { name: 'refunds in the database', found: usdc(refunded), expected: usdc(story.refunded) },
    { name: 'payment.refunded webhooks', found: usdc(refundedInEvents), expected: usdc(story.refunded) },
    { name: 'tokens kept on chain', found: usdc(received), expected: usdc(expected - story.refunded) },
    { name: 'payment_succeeded webhooks', found: usdc(inWebhooks), expected: usdc(expected) },
    { name: 'subscriptions where these differ', found: String(differing.length), expected: '0' },
    { name: 'webhooks with a wrong signature', found: String(receiver.refused), expected: '0' },
    { name: 'webhooks out of order', found: String(receiver.outOfOrder), expected: '0' },
    { name: 'payments in live updates', found: String(merchant.livePayments), expected: String(paid.length) },
  );

  figures.push(await accessFigure(merchant, story));
  if (isSponsoring(ctx)) figures.push(await sponsorFigure(db, network, story));
  if (smtp) figures.push(...(await mailFigures(db, smtp, paid.length)));

  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const { name, found, expected: expectedText } of figures) {
    const isCorrect = found === expectedText;
    const mark = isCorrect ? styleText('green', '✔') : styleText('red', '✘');
    console.log(
      `  ${mark} ${name.padEnd(width)}  ${found}${isCorrect ? '' : styleText('red', `  expected ${expectedText}`)}`,
    );
  }
  const wrong = figures.filter((figure) => figure.found !== figure.expected).length;
  const verdict =
    wrong === 0
      ? styleText(
          ['bold', 'green'],
          `The books agree: database ${usdc(inDatabase - refunded)} = chain ${usdc(received)} = webhooks ${usdc(inWebhooks - refundedInEvents)}`,
        )
      : styleText(['bold', 'red'], `${wrong} of ${figures.length} figures are wrong.`);
  console.log(`\n  ${verdict}`);
  return wrong === 0;
}

/** What one customer of a part pays, in base units. */
function paidBy({ planId, payments, takenOff = 0n }: Part): bigint {
  return PLANS[planId].amount * BigInt(payments) - takenOff;
}

/** Customers with access: all but those whose grace or paid time is over. */
async function accessFigure(merchant: Merchant, story: Story): Promise<Figure> {
  const { states } = await merchant.changedStates(undefined);
  const subscribed = new Set(
    states
      .filter(({ hasAccess }) => hasAccess)
      .flatMap(({ subscriptions }) => subscriptions.map(({ subscriptionId }) => subscriptionId)),
  );
  const found = story.customers.filter(({ subscription }) => subscribed.has(subscription)).length;
  const expected = story.customers.filter(
    ({ part: { role, status } }) => status === 'ACTIVE' || role === IN_GRACE,
  ).length;
  return { name: 'customers with access', found: String(found), expected: String(expected) };
}

/** Customers without SOL: dues paid their fees, and they still have no SOL. */
async function sponsorFigure(db: AppContext['db'], network: StoryNetwork, story: Story): Promise<Figure> {
  const customers = story.customers.filter(({ part }) => part.role === WITHOUT_SOL);
  const landed = await db.sponsoredTransaction.count({ where: { status: 'LANDED' } });
  const lamports = await Promise.all(customers.map(({ app }) => network.lamportsOf(app.address)));
  return {
    name: 'customers for whom dues paid the fee',
    found: `${landed}, with ${lamports.reduce((sum, amount) => sum + amount, 0)} lamports`,
    expected: `${customers.length}, with 0 lamports`,
  };
}

/** Each payment has a receipt by mail, and no mail is waiting or has failed. */
async function mailFigures(db: AppContext['db'], smtp: SmtpReceiver, payments: number): Promise<Figure[]> {
  const receipts = smtp.mails.filter(({ messageId }) => messageId?.includes('.receipt@')).length;
  const sent = await db.mail.count({ where: { status: 'SENT' } });
  const waiting = await db.mail.count({ where: { status: { in: ['QUEUED', 'FAILED'] } } });
  return [
    { name: 'receipts by mail', found: String(receipts), expected: String(payments) },
    {
      name: 'mails received',
      found: `${smtp.mails.length}, ${waiting} not sent`,
      expected: `${sent}, 0 not sent`,
    },
  ];
}

function usdc(amount: bigint): string {
  return `${(Number(amount) / 1e6).toFixed(2)} USDC`;
}
