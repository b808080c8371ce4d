const CENSORED = '[redacted]';

/**
 * Patterns of our own secrets and of secrets in foreign texts, with their replacements. A
 * replacement keeps enough to identify the kind of secret. A pattern starts with a rare text,
 * because matching a long line would otherwise take too long.
 */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Keys and secrets that we generate: sk_test_..., whsec_...
  [/\b(sk_(?:test|live)_|whsec_)[\w+/=-]{8,}/g, `$1${CENSORED}`],
  // The id of a checkout session lets a customer complete it.
  [/\b(cs_)[\w-]{16,}/g, `$1${CENSORED}`],
  // `Bearer ...`, in upper or lower case.
  [/\b(bearer\s+)[\w.~+/=-]{8,}/gi, `$1${CENSORED}`],
  // The cookies of members and of customers in the portal.
  [/\b(dues_(?:session|portal)=)[^;\s"\\]+/g, `$1${CENSORED}`],
  // The links to the portal, to end reminders, and to a receipt.
  [/(\/portal#(?:link|mail)=|\/mail\/unsubscribe\/|\/receipts\/)[\w-]{16,}/g, `$1${CENSORED}`],
  // postgresql://user:password@host, redis://:password@host
  [/(:\/\/[^\s:/@"\\]*:)[^\s/@"\\]+@/g, `$1${CENSORED}@`],
  // Providers of RPC nodes and streams put keys into their URLs.
  [/([?&](?:api[-_]?key|key|token|auth)=)[^\s&"\\]+/gi, `$1${CENSORED}`],
  // A key pair in the format of solana-keygen, in a text or as a JSON value.
  [/\[(?:\s*\d{1,3}\s*,){31,}\s*\d{1,3}\s*\]/g, '[]'],
  [/\{(?:"\d+":\d{1,3},){31,}"\d+":\d{1,3}\}/g, '{}'],
];

/** Removes secrets from a text: the last step of every log line. */
export function withoutSecrets(text: string): string {
  return PATTERNS.reduce((safe, [pattern, replacement]) => safe.replace(pattern, replacement), text);
}
