import { invalidRequest } from '../../errors.ts';
import { validEmail, validText, validUrl } from './valid-text.ts';

const MAX_NAME = 200;

/** What customers see of a merchant. */
export interface ProfileInput {
  readonly companyName?: string | undefined;
  /** https, for the checkout page is; null takes it away. */
  readonly logoUrl?: string | null | undefined;
  /** Null takes it away. */
  readonly supportEmail?: string | null | undefined;
}

/** The fields that are given, and no others. @throws BillingError invalid_request, param as in the input */
export function validProfile({ companyName, logoUrl, supportEmail }: ProfileInput) {
  return {
    ...(companyName !== undefined && { companyName: validText('companyName', companyName, MAX_NAME) }),
    ...(logoUrl !== undefined && { logoUrl: logoUrl === null ? null : validLogo(logoUrl) }),
    ...(supportEmail !== undefined && {
      supportEmail: supportEmail === null ? null : validEmail('supportEmail', supportEmail),
    }),
  };
}

function validLogo(text: string): string {
  const url = URL.parse(validUrl('logoUrl', text));
  if (url?.protocol === 'https:' && !url.username && !url.password) return text;
  throw invalidRequest('logoUrl', 'logoUrl must be an https URL without a user name.');
}
