// What a variable may hold, in words for whoever sets it.
import { isIP } from 'node:net';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';

export const url = (example: string, ...protocols: string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error: `must be a URL like ${example}` });
const SECRET_KEY_RULE = 'must be 32 bytes in base64 (openssl rand -base64 32 makes them)';
export const secretKey = z
  .base64(SECRET_KEY_RULE)
  .transform((text) => Uint8Array.from(Buffer.from(text, 'base64')))
  .refine((bytes) => bytes.length === 32, SECRET_KEY_RULE);
export const mint = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  "must be the address of a token's mint",
);
export const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port, 0 to 65535')
  .transform(Number);
export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,10}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `must be a whole number, ${least} to ${most}`,
    );
export const oneOf = <const T extends readonly [string, ...string[]]>(words: T) =>
  z.enum(words, `must be one of ${words.join(', ')}`);
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((host) => host.trim())
    .filter(Boolean),
);

/** A name or an address, with a port or without, as `URL.host` spells them. */
export function isHost(text: string): boolean {
  // A URL leaves out the port that its scheme has anyway.
  return ['http', 'https'].some(
    (scheme) => URL.parse(`${scheme}://${text}`)?.href === `${scheme}://${text}/`,
  );
}

/** An IP address, or a range of them as `10.0.0.0/8`. */
export function isRange(text: string): boolean {
  const [address = '', bits, more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || more !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}
