import { type Address, isAddress as isBase58Address } from '@solana/kit';
import { z } from 'zod';
import { invalidRequest } from '../../errors.ts';

const MAX_EMAIL = 254;
/** Of whatever is looked for in a list. */
const MAX_SEARCHED = 255;
const MAX_URL = 2048;
const email = z.email();
const uuid = z.uuid();

/** Text that PostgreSQL can keep: it knows no NUL, and half a surrogate pair is no character. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** @throws BillingError unless it is `min` to `max` characters of text */
export function validText(param: string, text: string, max: number, min = 1): string {
  if (text.trim().length < min || text.length > max) {
    throw invalidRequest(param, `${param} must have ${min} to ${max} characters.`);
  }
  if (!isStorable(text)) throw invalidRequest(param, `${param} must be valid text without NUL.`);
  return text;
}

/** What a list is searched for: no name in it is longer. @throws BillingError */
export function validSearch(param: string, text: string, min = 1): string {
  return validText(param, text, MAX_SEARCHED, min);
}

/** @throws BillingError */
export function validEmail(param: string, text: string): string {
  if (text.length <= MAX_EMAIL && email.safeParse(text).success) return text;
  throw invalidRequest(param, `${param} must be an email address of at most ${MAX_EMAIL} characters.`);
}

/** A page that a browser may be sent to. @throws BillingError */
export function validUrl(param: string, text: string): string {
  const url = text.length <= MAX_URL && isStorable(text) ? URL.parse(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol)) return text;
  throw invalidRequest(param, `${param} must be an http or https URL of at most ${MAX_URL} characters.`);
}

/** @throws BillingError */
export function validAddress(param: string, text: string): Address {
  if (isBase58Address(text)) return text;
  throw invalidRequest(param, `${param} must be a Solana address: 32 bytes in base58.`);
}

/** Whether it can be an id of ours at all: the database refuses to compare anything else with one. */
export function isId(text: string): boolean {
  return uuid.safeParse(text).success;
}
