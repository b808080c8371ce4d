import { mailsOfPayments, type PaymentMail } from '../../../domain/messages/mail/mails-of-payments.ts';
import { batchLoader } from './batch-loader.ts';

/** Loads the mails about a payment, by the payment's UUID. */
export const loadPaymentMails = batchLoader<string, PaymentMail[]>(async ({ app }, paymentIds) => {
  const mails = await mailsOfPayments(app.db, paymentIds);
  return paymentIds.map((id) => mails.get(id) ?? []);
});
