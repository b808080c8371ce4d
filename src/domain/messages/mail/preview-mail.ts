import type { AppContext } from '../../../app.ts';
import { dateText, dateTimeText } from '../../catalog/money/date-text.ts';
import type { Scope } from '../../kernel/access/scope.ts';
import { brandOf, dashboardPage } from './compose-mail.ts';
import {
  cancelledMail,
  collectorLowMail,
  endpointDisabledMail,
  endpointFailingMail,
  expiredMail,
  feeScheduledMail,
  firstSaleMail,
  pausedMail,
  pauseEndsMail,
  paymentFailedMail,
  planProblemMail,
  portalLinkMail,
  receiptMail,
  refundMail,
  renewalReminderMail,
  trialEndsMail,
} from './contents.ts';
import { type ForeignText, foreignText } from './foreign-text.ts';
import type { MailContent } from './mail-content.ts';
import { type RenderedMail, renderMail } from './render-mail.ts';
import { type TemplateName, templateOf } from './templates.ts';

const DAY_MS = 86_400_000;
const AMOUNT = '9.99 USDC';

/** Renders a mail with the merchant's brand, about a made-up customer. */
export async function previewMail(
  ctx: Pick<AppContext, 'config' | 'db' | 'clock'>,
  { merchantId, environment }: Scope,
  template: TemplateName,
): Promise<RenderedMail> {
  const merchant = await ctx.db.merchant.findUniqueOrThrow({ where: { id: merchantId } });
  const { to, isReminder } = templateOf(template);
  const { publicUrl } = ctx.config;
  const content = samples(ctx.clock.now(), foreignText(merchant.companyName), {
    dashboard: dashboardPage(ctx.config, environment, '/'),
    link: `${publicUrl}/`,
    portal: `${publicUrl}/portal`,
  })[template]();
  return renderMail(
    content,
    brandOf(ctx.config, to === 'CUSTOMER' ? merchant : null, environment),
    isReminder ? `${publicUrl}/mail/unsubscribe/sample` : undefined,
  );
}

function samples(
  now: Date,
  company: ForeignText,
  urls: { readonly dashboard: string; readonly link: string; readonly portal: string },
): Readonly<Record<TemplateName, () => MailContent>> {
  const walletAddress = '11111111111111111111111111111111';
  const to = {
    company,
    planName: foreignText('Sample plan'),
    price: `${AMOUNT} every month`,
    walletAddress,
    portalUrl: urls.portal,
  };
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS);
  const endpoint = {
    endpointUrl: foreignText('https://shop.example/webhooks'),
    failingSince: dateTimeText(now),
    url: urls.dashboard,
  };
  return {
    RECEIPT: () =>
      receiptMail(to, {
        amount: AMOUNT,
        paidOn: dateTimeText(now),
        number: 1,
        nextPayment: dateText(inDays(30)),
        signature: '1111111111111111111111111111111111111111111111111111111111111111',
        url: urls.link,
        merchantUrl: urls.link,
      }),
    PAYMENT_FAILED: () =>
      paymentFailedMail(to, {
        code: 'INSUFFICIENT_FUNDS',
        required: AMOUNT,
        available: '4.00 USDC',
        missing: '5.99 USDC',
        after: {
          kind: 'RETRY',
          nextAttempt: dateTimeText(inDays(1)),
          until: dateTimeText(inDays(3)),
          isUntilPaid: false,
        },
      }),
    REFUND: () =>
      refundMail(to, {
        amount: AMOUNT,
        paymentAmount: AMOUNT,
        signature: '1111111111111111111111111111111111111111111111111111111111111111',
        reason: foreignText('Requested by the customer'),
        url: urls.link,
      }),
    RENEWAL_REMINDER: () => renewalReminderMail(to, dateText(inDays(7))),
    TRIAL_ENDS: () => trialEndsMail(to, dateText(inDays(3))),
    CANCELLED: () => cancelledMail(to, dateText(inDays(12))),
    PAUSED: () =>
      pausedMail(to, { from: dateText(inDays(7)), until: dateText(inDays(37)), keepsAccess: false }),
    PAUSE_ENDS: () => pauseEndsMail(to, dateText(inDays(7))),
    EXPIRED: () => expiredMail(to, 3, null),
    PORTAL_LINK: () => portalLinkMail(company, urls.link, dateTimeText(inDays(1))),
    FIRST_SALE: () => firstSaleMail(to, AMOUNT, urls.dashboard),
    ENDPOINT_FAILING: () => endpointFailingMail(endpoint),
    ENDPOINT_DISABLED: () => endpointDisabledMail(endpoint, 'FAILING'),
    PLAN_PROBLEM: () => planProblemMail(to.planName, 'RECEIVER_FROZEN', urls.dashboard),
    FEE_SCHEDULED: () =>
      feeScheduledMail(to.planName, { percent: '1', fromEpoch: '812', epoch: '810' }, urls.dashboard),
    COLLECTOR_LOW: () =>
      collectorLowMail({
        environment: 'LIVE',
        address: walletAddress,
        sol: '0.05',
        daysLeft: 5,
        canPay: true,
        isFeePayer: false,
      }),
  };
}
