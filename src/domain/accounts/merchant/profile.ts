import { optionalText } from '../../kernel/input/optional-text.ts';
import {
  validColor,
  validEmail,
  validHttpsUrl,
  validName,
  validPostalAddress,
  validPublicName,
  validTaxId,
} from '../../kernel/input/valid-text.ts';

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
  /** The seller's name on receipts; null removes it. */
  readonly legalName?: string | null | undefined;
  /** The seller's postal address on receipts, in lines; null removes it. */
  readonly postalAddress?: string | null | undefined;
  /** The seller's tax number on receipts; null removes it. */
  readonly taxId?: string | null | undefined;
}

/** Validates the given fields. @throws BillingError invalid_request, param as in the input */
export function validProfile(input: ProfileInput) {
  const { companyName } = input;
  return {
    ...(companyName !== undefined && { companyName: validPublicName('companyName', companyName, MAX_NAME) }),
    ...optionalText(input, 'logoUrl', validHttpsUrl),
    ...optionalText(input, 'brandColor', validColor),
    ...optionalText(input, 'supportEmail', validEmail),
    ...optionalText(input, 'legalName', (param, text) => validName(param, text, MAX_NAME)),
    ...optionalText(input, 'postalAddress', validPostalAddress),
    ...optionalText(input, 'taxId', validTaxId),
  };
}
