import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Where a collector's signatures come from, if its key is not here: docs/operations.md has the protocol. */
export interface RemoteSigner {
  readonly url: string;
  readonly token: string | undefined;
}

/** 64 bytes, as `solana-keygen` writes them (private and public key), or whoever signs with them. */
export type CollectorSource = Uint8Array | RemoteSigner;

const KEY_RULE =
  'must be the contents of a key file, a JSON array of 64 numbers (solana-keygen new --outfile collector.json makes one)';
const FILE_RULE = 'must be the path of a key file, a JSON array of 64 numbers';

const keyText = z.string(KEY_RULE).transform((text, context) => keyFrom(text) ?? refuse(context, KEY_RULE));
const keyFile = z.string().transform((path, context) => {
  try {
    return keyFrom(readFileSync(path, 'utf8')) ?? refuse(context, FILE_RULE);
  } catch (error) {
    return refuse(context, `${FILE_RULE} that can be read (${(error as NodeJS.ErrnoException).code})`);
  }
});
const signerUrl = z.url({
  protocol: /^https?$/,
  error: 'must be the URL of a signer, like https://signer.example.com/collector',
});

/** A collector is set by one of `<name>_KEY`, `<name>_KEY_FILE` and `<name>_SIGNER_URL`. */
function variablesOf(name: string): Readonly<Record<string, z.ZodType>> {
  return {
    [`${name}_KEY`]: keyText.optional(),
    [`${name}_KEY_FILE`]: keyFile.optional(),
    [`${name}_SIGNER_URL`]: signerUrl.optional(),
    [`${name}_SIGNER_TOKEN`]: z.string().optional(),
  };
}

export const COLLECTOR = 'COLLECTOR';
/** The one before, while its plans are still collected. */
export const PREVIOUS_COLLECTOR = 'COLLECTOR_PREVIOUS';

/** The variables of both, without the environment's name that they begin with. */
export const collectorVariables = { ...variablesOf(COLLECTOR), ...variablesOf(PREVIOUS_COLLECTOR) };

/**
 * The collector that the variables describe; `undefined` where none of them is set.
 *
 * `name` is that of the variables without their ends, as `TEST_COLLECTOR`. `parsedOf` answers with what a variable was
 * parsed to. `tell` is told what is wrong with them together.
 */
export function collectorFrom(
  name: string,
  parsedOf: (variable: string) => unknown,
  tell: (problem: string) => void,
): CollectorSource | undefined {
  const [way, another] = waysOf(name).filter((variable) => parsedOf(variable) !== undefined);
  const token = parsedOf(`${name}_SIGNER_TOKEN`) as string | undefined;
  if (another) tell(`${another} is one too many: ${way} is set, and a collector has one key`);
  if (token !== undefined && way !== `${name}_SIGNER_URL`) {
    tell(`${name}_SIGNER_TOKEN is of no use: ${name}_SIGNER_URL is not what the collector is set by`);
  }
  if (way === undefined) return undefined;
  const value = parsedOf(way);
  return typeof value === 'string' ? { url: value, token } : (value as Uint8Array);
}

/** What is wrong where nothing says who collects. */
export function collectorMissing(name: string, isSet: (variable: string) => boolean): string | undefined {
  if (waysOf(name).some(isSet)) return undefined;
  return `${name}_KEY is missing: it ${KEY_RULE}; or set ${name}_KEY_FILE or ${name}_SIGNER_URL instead`;
}

function waysOf(name: string): string[] {
  return [`${name}_KEY`, `${name}_KEY_FILE`, `${name}_SIGNER_URL`];
}

function keyFrom(text: string): Uint8Array | undefined {
  const bytes = z.array(z.number().int().min(0).max(255)).length(64).safeParse(parseJson(text));
  return bytes.success ? Uint8Array.from(bytes.data) : undefined;
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
