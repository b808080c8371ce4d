import type { Address } from '@solana/kit';
import { z } from 'zod';
import { mint, parseJson } from './kinds.ts';

/** A token with its symbol, name and logo. */
export interface ConfiguredAsset {
  readonly mint: Address;
  readonly symbol: string;
  readonly name: string;
  readonly logoUrl?: string | undefined;
}

const MAX_ASSETS = 50;
const RULE = `must be a JSON array of at most ${MAX_ASSETS} tokens like {"mint":"...","symbol":"EURX","name":"Euro X","logoUrl":"https://..."}, each mint once`;

const shape = z
  .array(
    z.strictObject({
      mint,
      symbol: z.string().min(1).max(20),
      name: z.string().min(1).max(100),
      logoUrl: z
        .url({ protocol: /^https$/ })
        .max(2_000)
        .optional(),
    }),
  )
  .max(MAX_ASSETS)
  .refine((assets) => new Set(assets.map((asset) => asset.mint)).size === assets.length);

/** The schema of a configuration variable that holds tokens as a JSON array. */
export const configuredAssets = z.string().transform((text, context): ConfiguredAsset[] => {
  const parsed = shape.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: RULE });
  return z.NEVER;
});
