import { createPublicKey } from 'node:crypto';
import { type Address, isAddress } from '@solana/kit';
import { z } from 'zod';
import { ed25519PrivateKey } from '../../ed25519-key.ts';
import { parseJson } from './kinds.ts';
import { notes } from './notes.ts';

/** The rule of a key pair. */
export const KEY_RULE =
  'must be the contents of a key file, a JSON array of 64 numbers, a private key and its public key (solana-keygen new --outfile collector.json creates one)';

const keyPair = z.string(KEY_RULE).transform((text, context) => {
  const key = parseKey(text);
  if (key) return key;
  context.addIssue(KEY_RULE);
  return z.NEVER;
});
/** More would not help: a few accounts reach the limit of a block (docs/scale.md). */
const MAX_FEE_PAYERS = 8;
const FEE_PAYERS_RULE = `must be the contents of 1 to ${MAX_FEE_PAYERS} key files, one after the other (cat payer-1.json payer-2.json), each with another key`;

/** Keys in the form of the collector's. They follow one another, as `cat` writes the files. */
export const keyPairs = z.string(FEE_PAYERS_RULE).transform((text, context): readonly Uint8Array[] => {
  const keys = text.split(/(?<=\])\s*(?=\[)/).flatMap((part) => parseKey(part) ?? []);
  const texts = text.match(/\[/g) ?? [];
  const distinct = new Set(keys.map((key) => key.join()));
  if (keys.length > 0 && keys.length <= MAX_FEE_PAYERS && distinct.size === texts.length) return keys;
  context.addIssue(FEE_PAYERS_RULE);
  return z.NEVER;
});
const address = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  "must be the collector's address",
);

/**
 * A collector is set by its key or by a signer. Its address suffices for roles that do not sign;
 * next to a key it must be that key's.
 */
function variablesOf(which: string) {
  return {
    KEY: keyPair.optional().register(notes, {
      text: `The key of ${which}, as \`solana-keygen new\` writes it. It pays fees and signs pulls; it needs SOL, never tokens.`,
      mayBeFile: true,
    }),
    SIGNER_URL: z
      .url({
        protocol: /^https?$/,
        error: 'must be the URL of a signer, like https://signer.example.com/collector',
      })
      .optional()
      .register(notes, {
        text: `Instead of the key of ${which}: a remote signer that keeps it (docs/operations.md has its protocol).`,
        mayBeFile: true,
      }),
    SIGNER_TOKEN: z
      .string()
      .optional()
      .register(notes, {
        text: `The token for the signer of ${which}, if it needs one.`,
        mayBeFile: true,
      }),
    ADDRESS: address.optional().register(notes, {
      text: `The address of ${which}. For an indexer, and an API that pays for no customers, it suffices without the key. Next to a key it must be that key's.`,
      mayBeFile: true,
    }),
  } as const;
}

export const collectorVariables = variablesOf('the collector');
export const previousCollectorVariables = variablesOf('the previous collector, while plans name only it');

function parseKey(text: string): Uint8Array | undefined {
  const bytes = z.array(z.number().int().min(0).max(255)).length(64).safeParse(parseJson(text));
  if (!bytes.success) return undefined;
  const key = Uint8Array.from(bytes.data);
  return isKeyPair(key) ? key : undefined;
}

/** Whether the second half is the public key of the first half. */
function isKeyPair(key: Uint8Array): boolean {
  const { x } = createPublicKey(ed25519PrivateKey(key.subarray(0, 32))).export({ format: 'jwk' });
  return x === Buffer.from(key.subarray(32)).toString('base64url');
}
