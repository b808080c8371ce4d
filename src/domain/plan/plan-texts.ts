import { validHttpsUrl, validText } from '../input/valid-text.ts';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 2_000;

/** What customers see of a plan beside its terms. */
export interface PlanTexts {
  readonly name?: string | undefined;
  /** Null removes it. */
  readonly description?: string | null | undefined;
  /** An https URL, as the checkout page is https; null removes the picture. */
  readonly imageUrl?: string | null | undefined;
}

/**
 * Validates each text; a null removes it.
 *
 * @throws BillingError invalid_request, param its name
 */
export const validPlanText = {
  name: (text: string) => validText('name', text, MAX_NAME),
  description: (text: string | null) => text && validText('description', text, MAX_DESCRIPTION, 0),
  imageUrl: (text: string | null) => (text === null ? null : validHttpsUrl('imageUrl', text)),
};

/**
 * Validates the given fields.
 *
 * @throws BillingError invalid_request, param `name`, `description` or `imageUrl`
 */
export function validPlanTexts({ name, description, imageUrl }: PlanTexts) {
  return {
    ...(name !== undefined && { name: validPlanText.name(name) }),
    ...(description !== undefined && { description: validPlanText.description(description) }),
    ...(imageUrl !== undefined && { imageUrl: validPlanText.imageUrl(imageUrl) }),
  };
}
