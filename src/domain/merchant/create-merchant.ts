import type { AppContext } from '../../app.ts';
import { invalidRequest } from '../../errors.ts';
import type { Merchant } from '../../generated/prisma/client.ts';
import { isUniqueViolation } from './is-unique-violation.ts';
import { validAddress, validEmail, validText, validUrl } from './valid-text.ts';

const MAX_NAME = 200;

export interface CreateMerchantInput {
  /** What customers see at the checkout. */
  readonly companyName: string;
  /** Owns the plans on chain and receives the money; of one merchant only. */
  readonly walletAddress: string;
  readonly logoUrl?: string | undefined;
  readonly supportEmail?: string | undefined;
}

/** @throws BillingError invalid_request, param as in the input */
export async function createMerchant(
  { db, clock }: Pick<AppContext, 'db' | 'clock'>,
  { companyName, walletAddress, logoUrl, supportEmail }: CreateMerchantInput,
): Promise<Merchant> {
  const data = {
    companyName: validText('companyName', companyName, MAX_NAME),
    walletAddress: validAddress('walletAddress', walletAddress),
    logoUrl: logoUrl === undefined ? null : validUrl('logoUrl', logoUrl),
    supportEmail: supportEmail === undefined ? null : validEmail('supportEmail', supportEmail),
    createdAt: clock.now(),
  };
  try {
    return await db.merchant.create({ data });
  } catch (cause) {
    if (!isUniqueViolation(cause)) throw cause;
    throw invalidRequest('walletAddress', 'walletAddress belongs to another merchant.');
  }
}
