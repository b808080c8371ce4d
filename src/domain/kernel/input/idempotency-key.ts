import { validText } from './valid-text.ts';

const MAX_IDEMPOTENCY_KEY = 255;

/** The key of a request, 1 to 255 characters. @throws BillingError invalid_request, with this param */
export function validIdempotencyKey(param: string, key: string): string {
  return validText(param, key, MAX_IDEMPOTENCY_KEY);
}
