const CENSORED = '[redacted]';

/**
 * What our secrets look like, and where others' stand, in any text. Each keeps what tells which secret it was, and begins with
 * a text that is rare: else a long line would take for ever.
 */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  // Keys and secrets that we make: sk_test_..., whsec_...
  [/\b(sk_(?:test|live)_|whsec_)[\w+/=-]{8,}/g, `$1${CENSORED}`],
  // A checkout session's id is what lets its customer complete it.
  [/\b(cs_)[\w-]{16,}/g, `$1${CENSORED}`],
  // `Bearer ...`, in whichever case.
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${CENSORED}`],
  // A dashboard session's cookie.
  [/\b(dues_session=)[^;\s"\\]+/g, `$1${CENSORED}`],
  // postgresql://user:password@host, redis://:password@host
  [/(:\/\/[^\s:/@"\\]*:)[^\s/@"\\]+@/g, `$1${CENSORED}@`],
  // Providers of RPC and streams put keys into their URLs.
  [/([?&](?:api[-_]?key|key|token|auth)=)[^\s&"\\]+/gi, `$1${CENSORED}`],
  // A key pair as solana-keygen writes it, or as an array of bytes is written; in a text or as a value of its own.
  [/\[(?:\s*\d{1,3}\s*,){31,}\s*\d{1,3}\s*\]/g, '[]'],
  [/\{(?:"\d+":\d{1,3},){31,}"\d+":\d{1,3}\}/g, '{}'],
];

/** The same text without secrets: the last thing that happens to a line of the log. */
export function withoutSecrets(text: string): string {
  return SHAPES.reduce((safe, [shape, replacement]) => safe.replace(shape, replacement), text);
}
