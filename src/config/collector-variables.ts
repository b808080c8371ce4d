import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Address, getAddressDecoder, isAddress } from '@solana/kit';
import { z } from 'zod';
import { ed25519PrivateKey } from '../ed25519-key.ts';

/** A remote signer of collector transactions; docs/operations.md describes its protocol. */
export interface RemoteSigner {
  readonly url: string;
  readonly token: string | undefined;
}

/** Only the address of a collector: for roles that do not sign. */
export interface CollectorAddress {
  readonly address: Address;
}

/**
 * A key in the format of `solana-keygen` (64 bytes: private and public key), a remote signer, or
 * only the address.
 */
export type CollectorSource = Uint8Array | RemoteSigner | CollectorAddress;

const KEY_RULE =
  'must be the contents of a key file, a JSON array of 64 numbers, a private key and its public key (solana-keygen new --outfile collector.json creates one)';
const FILE_RULE =
  'must be the path of a key file, a JSON array of 64 numbers, a private key and its public key';

const keyText = z.string(KEY_RULE).transform((text, context) => parseKey(text) ?? refuse(context, KEY_RULE));
const keyFile = z.string().transform((path, context) => {
  try {
    return parseKey(readFileSync(path, 'utf8')) ?? refuse(context, FILE_RULE);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return refuse(context, `names a file that cannot be read (${code}): it ${FILE_RULE}`);
  }
});
const signerUrl = z.url({
  protocol: /^https?$/,
  error: 'must be the URL of a signer, like https://signer.example.com/collector',
});

const addressText = z.custom<Address>(
  (value) => typeof value === 'string' && isAddress(value),
  "must be the collector's address, for roles that do not sign",
);

/**
 * The schemas of a collector's variables. Exactly one of `<name>_KEY`, `<name>_KEY_FILE` and
 * `<name>_SIGNER_URL` sets it. `<name>_ADDRESS` suffices for roles that do not sign; next to a key
 * it must be that key's.
 */
function schemasOf(name: string): Readonly<Record<string, z.ZodType>> {
  return {
    [`${name}_KEY`]: keyText.optional(),
    [`${name}_KEY_FILE`]: keyFile.optional(),
    [`${name}_SIGNER_URL`]: signerUrl.optional(),
    [`${name}_SIGNER_TOKEN`]: z.string().optional(),
    [`${name}_ADDRESS`]: addressText.optional(),
  };
}

export const COLLECTOR = 'COLLECTOR';
/** The previous collector, while plans still name it. */
export const PREVIOUS_COLLECTOR = 'COLLECTOR_PREVIOUS';

/** The variables of both collectors, without the prefix of the environment. */
export const collectorVariables = { ...schemasOf(COLLECTOR), ...schemasOf(PREVIOUS_COLLECTOR) };

/**
 * Reads the collector from its variables; `undefined` if none of them is set.
 *
 * @param name prefix of the variables, for example `TEST_COLLECTOR`
 * @param parsedOf returns the parsed value of a variable
 * @param report receives conflicts between variables
 */
export function readCollectorSource(
  name: string,
  parsedOf: (variable: string) => unknown,
  report: (problem: string) => void,
): CollectorSource | undefined {
  const [source, conflicting] = sourceVariables(name).filter((variable) => parsedOf(variable) !== undefined);
  const token = parsedOf(`${name}_SIGNER_TOKEN`) as string | undefined;
  if (conflicting)
    report(`${conflicting} conflicts with ${source}: set only one of them, because a collector has one key`);
  if (token !== undefined && source !== `${name}_SIGNER_URL`) {
    report(`${name}_SIGNER_TOKEN has no effect: the collector is not set by ${name}_SIGNER_URL`);
  }
  const address = parsedOf(`${name}_ADDRESS`) as Address | undefined;
  if (source === undefined) return address && { address };
  const value = parsedOf(source);
  if (typeof value === 'string') return { url: value, token };
  const key = value as Uint8Array;
  const keyAddress = getAddressDecoder().decode(key.subarray(32));
  if (address !== undefined && address !== keyAddress)
    report(`${name}_ADDRESS is ${address}, but the key in ${source} has the address ${keyAddress}`);
  return key;
}

/** Whether transactions of the collector can be signed. */
export function canSign(source: CollectorSource): source is Uint8Array | RemoteSigner {
  return !('address' in source);
}

/** Returns the problem text if no variable sets the collector. */
export function missingCollectorProblem(
  name: string,
  isSet: (variable: string) => boolean,
): string | undefined {
  if ([...sourceVariables(name), `${name}_ADDRESS`].some(isSet)) return undefined;
  return `${name}_KEY is missing: it ${KEY_RULE}; or set ${name}_KEY_FILE or ${name}_SIGNER_URL instead`;
}

function sourceVariables(name: string): string[] {
  return [`${name}_KEY`, `${name}_KEY_FILE`, `${name}_SIGNER_URL`];
}

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

function refuse(context: z.RefinementCtx, rule: string): never {
  context.addIssue(rule);
  return z.NEVER;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
