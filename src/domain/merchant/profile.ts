import { validColor, validEmail, validHttpsUrl, validText } from '../input/valid-text.ts';

const MAX_NAME = 200;

/** The public profile of a merchant. */
export interface ProfileInput {
  readonly companyName?: string | undefined;
  /** An https URL, as the checkout page is https; null removes the logo. */
  readonly logoUrl?: string | null | undefined;
  /** `#rrggbb`; null removes it. */
  readonly brandColor?: string | null | undefined;
  /** Null removes it. */
  readonly supportEmail?: string | null | undefined;
}

/** Validates the given fields. @throws BillingError invalid_request, param as in the input */
export function validProfile({ companyName, logoUrl, brandColor, supportEmail }: ProfileInput) {
  return {
    ...(companyName !== undefined && { companyName: validText('companyName', companyName, MAX_NAME) }),
    ...(logoUrl !== undefined && { logoUrl: logoUrl === null ? null : validHttpsUrl('logoUrl', logoUrl) }),
    ...(brandColor !== undefined && {
      brandColor: brandColor === null ? null : validColor('brandColor', brandColor),
    }),
    ...(supportEmail !== undefined && {
      supportEmail: supportEmail === null ? null : validEmail('supportEmail', supportEmail),
    }),
  };
}
