import { validHttpsUrl, validPublicName, validText } from '../../kernel/input/valid-text.ts';

const MAX_NAME = 200;
const MAX_DESCRIPTION = 2_000;

/** The texts and the picture of a plan that customers see. */
export interface PlanTexts {
  readonly name?: string | undefined;
  /** Null removes it. */
  readonly description?: string | null | undefined;
  /** An https URL, because the checkout page uses https. Null removes the picture. */
  readonly imageUrl?: string | null | undefined;
}

/**
 * Validators of the single texts. Null removes a text.
 *
 * @throws BillingError invalid_request, with the name of the text as param
 */
export const validPlanText = {
  name: (text: string) => validPublicName('name', text, MAX_NAME),
  description: (text: string | null) => text && validText('description', text, MAX_DESCRIPTION, 0),
  imageUrl: (text: string | null) => (text === null ? null : validHttpsUrl('imageUrl', text)),
};

/**
 * Validates the texts that are set.
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
