// Schemas of variables, with error texts for operators.
import { isIP } from 'node:net';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';

export const url = (example: string, ...protocols: string[]) =>
  z.url({ protocol: new RegExp(`^(${protocols.join('|')})$`), error: `must be a URL like ${example}` });
/** A URL without credentials, because `fetch` refuses a URL that contains them. */
export const httpUrl = (example: string) =>
  url(example, 'http', 'https').refine((text) => {
    const parsed = URL.parse(text);
    // A text that is not a URL has already failed the rule above.
    return !parsed || (parsed.username === '' && parsed.password === '');
  }, 'must have no user name and no password: put a key of the provider into the path or the query');
const MAX_URLS = 8;
/** One or more URLs, separated by commas. */
export const httpUrls = (example: string) =>
  z
    .string(`must be a URL like ${example}`)
    .transform((text) => text.split(',').map((item) => item.trim()))
    .pipe(
      z
        .array(httpUrl(example))
        .max(MAX_URLS, `must be at most ${MAX_URLS} URLs`)
        .refine((urls) => new Set(urls).size === urls.length, 'must name no URL twice'),
    );
/** A URL with `{path}` for the page of a transaction or an address. */
export const explorerUrl = httpUrl('https://explorer.solana.com/{path}').refine(
  (text) => text.split('{path}').length === 2,
  'must contain {path} once, for tx/<signature> or address/<address>',
);
const SECRET_KEY_RULE = 'must be 32 bytes in base64 (openssl rand -base64 32 creates them)';
export const secretKey = z
  .base64(SECRET_KEY_RULE)
  .transform((text): Uint8Array => Uint8Array.from(Buffer.from(text, 'base64')))
  .refine((bytes) => bytes.length === 32, SECRET_KEY_RULE);
export const mint = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  "must be the address of a token's mint",
);
export const port = z
  .string()
  .refine((text) => /^\d{1,5}$/.test(text) && Number(text) <= 65_535, 'must be a port, 0 to 65535')
  .transform(Number);
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number, ${min} to ${max}`,
    );
/** `billing@shop.example` or `Shop <billing@shop.example>`. */
export const mailbox = z
  .string()
  .max(320, 'must have at most 320 characters')
  .transform((text) => {
    const named = /^([^<>"\p{Cc}]*)<([^<>]+)>$/u.exec(text.trim());
    return { name: named?.[1]?.trim() ?? '', address: (named?.[2] ?? text).trim() };
  })
  .refine(
    ({ address }) => z.email().safeParse(address).success,
    'must be an email address like billing@shop.example, or Shop <billing@shop.example>',
  );
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `must be one of ${values.join(', ')}`);
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
);

export interface HostPort {
  readonly host: string;
  readonly port: number;
}

const MAX_NODES = 100;
/** One or more `host:port`, separated by commas. */
export const hostPorts = commaList
  .transform((nodes) => nodes.map(hostPortOf))
  .refine(
    (nodes): nodes is HostPort[] =>
      nodes.length > 0 && nodes.length <= MAX_NODES && nodes.every((node) => node !== undefined),
    `must be 1 to ${MAX_NODES} nodes like host:port, separated by commas`,
  );

function hostPortOf(text: string): HostPort | undefined {
  const parsed = /^[\w.:[\]-]+:\d{1,5}$/.test(text) ? URL.parse(`redis://${text}`) : null;
  if (!parsed?.hostname || !Number(parsed.port)) return undefined;
  // A URL contains an IPv6 address in brackets.
  return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: Number(parsed.port) };
}

/** Whether a text is a host name or address with an optional port, written like `URL.host`. */
export function isHost(text: string): boolean {
  // Tries both schemes, because a URL drops the default port of its own scheme.
  return ['http', 'https'].some(
    (scheme) => URL.parse(`${scheme}://${text}`)?.href === `${scheme}://${text}/`,
  );
}

/** Whether a text is an IP address, or a range like `10.0.0.0/8`. */
export function isRange(text: string): boolean {
  const [address = '', bits, extra] = text.split('/');
  const version = isIP(address);
  if (version === 0 || extra !== undefined) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

/** Parses JSON. Returns undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
