import { type Address, isAddress as isBase58Address } from '@solana/kit';
import { z } from 'zod';
import { invalidRequest } from '../../../errors.ts';
import { isVisible, withoutInvisible } from './invisible.ts';

const MAX_EMAIL = 254;
/** Maximum length of a search text. */
const MAX_SEARCHED = 255;
const MAX_URL = 2048;
const email = z.email();
const uuid = z.uuid();

/** Whether PostgreSQL can store the text: it must not have NUL or unpaired surrogates. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** @throws BillingError unless the text has `min` to `max` characters */
export function validText(param: string, text: string, max: number, min = 1): string {
  if (text.trim().length < min || text.length > max) {
    throw invalidRequest(param, `${param} must have ${min} to ${max} characters.`);
  }
  if (!isStorable(text)) throw invalidRequest(param, `${param} must be valid text without NUL.`);
  return text;
}

const MAX_ADDRESS = 500;
const MAX_ADDRESS_LINES = 8;
const MAX_TAX_ID = 50;

/** Validates a name, which is printed in one line. @throws BillingError */
export function validName(param: string, text: string, max: number): string {
  if (hasControlCharacter(text)) throw invalidRequest(param, `${param} must not contain control characters.`);
  if (!isVisible(text)) throw invalidRequest(param, `${param} must have a visible character.`);
  return validText(param, text, max);
}

/**
 * Validates a name that customers see in mails and on pages: one line without a URL. A domain, which
 * may be the name of a company, is allowed.
 *
 * @throws BillingError
 */
export function validPublicName(param: string, text: string, max: number): string {
  if (/[\u2028\u2029]/.test(text) || withoutInvisible(text) !== text) {
    throw invalidRequest(param, `${param} must be one line without control or invisible characters.`);
  }
  if (/:\/\/|\bwww\./i.test(text)) throw invalidRequest(param, `${param} must not contain a URL.`);
  return validName(param, text, max);
}

/** Validates a postal address of several lines. @throws BillingError */
export function validPostalAddress(param: string, text: string): string {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  if (lines.length > MAX_ADDRESS_LINES) {
    throw invalidRequest(param, `${param} must have at most ${MAX_ADDRESS_LINES} lines.`);
  }
  if (lines.some(hasControlCharacter)) {
    throw invalidRequest(param, `${param} must not contain control characters other than line breaks.`);
  }
  return validText(param, lines.join('\n'), MAX_ADDRESS);
}

/** Validates a tax number in the notation of its country. @throws BillingError */
export function validTaxId(param: string, text: string): string {
  return validName(param, text, MAX_TAX_ID);
}

/**
 * Validates a search text; no stored name is longer.
 *
 * @throws BillingError
 */
export function validSearch(param: string, text: string, min = 1): string {
  return validText(param, text, MAX_SEARCHED, min);
}

/** @throws BillingError */
export function validEmail(param: string, text: string): string {
  if (text.length <= MAX_EMAIL && email.safeParse(text).success) return text;
  throw invalidRequest(param, `${param} must be an email address of at most ${MAX_EMAIL} characters.`);
}

/** Validates a colour and returns it in lower case. @throws BillingError */
export function validColor(param: string, text: string): string {
  if (/^#[\da-f]{6}$/i.test(text)) return text.toLowerCase();
  throw invalidRequest(param, `${param} must be a colour like #4338ca.`);
}

/**
 * Whether a text has control characters, which are not allowed in URLs: parsers drop some silently,
 * and others end a header.
 */
export function hasControlCharacter(text: string): boolean {
  return /\p{Cc}/u.test(text);
}

/**
 * Validates a URL for a browser and returns it in normal form.
 *
 * @throws BillingError
 */
export function validUrl(param: string, text: string): string {
  if (hasControlCharacter(text)) throw invalidRequest(param, `${param} must not contain control characters.`);
  const url = text.length <= MAX_URL && isStorable(text) ? URL.parse(text) : null;
  if (url && ['http:', 'https:'].includes(url.protocol) && url.href.length <= MAX_URL) return url.href;
  throw invalidRequest(param, `${param} must be an http or https URL of at most ${MAX_URL} characters.`);
}

/**
 * Validates an https URL, which an https page can load, and returns it in normal form.
 *
 * @throws BillingError
 */
export function validHttpsUrl(param: string, text: string): string {
  const url = new URL(validUrl(param, text));
  if (url.protocol === 'https:' && !url.username && !url.password) return url.href;
  throw invalidRequest(param, `${param} must be an https URL without a user name.`);
}

/** @throws BillingError */
export function validAddress(param: string, text: string): Address {
  if (isBase58Address(text)) return text;
  throw invalidRequest(param, `${param} must be a Solana address: 32 bytes in base58.`);
}

/** Whether the text is a UUID: the database refuses to compare other texts with an id. */
export function isId(text: string): boolean {
  return uuid.safeParse(text).success;
}
