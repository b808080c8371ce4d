import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { assetDecimals } from '../../catalog/asset/asset-decimals.ts';
import { describeAsset } from '../../catalog/asset/describe-asset.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';

/** The token of a row. */
export interface RowToken {
  /** Null for an unknown token. */
  readonly symbol: string | null;
  /** The amount as a decimal; null if the decimals of the token cannot be read. */
  toDecimal(amount: bigint): string | null;
}

/** What reads tokens. */
export type TokenContext = Pick<AppContext, 'config' | 'chain' | 'away' | 'log'>;

/** Adds its token to each row. The decimals of a token are read once, and its rows share them. */
export async function withTokens<Row>(
  ctx: TokenContext,
  environment: Environment,
  rows: readonly Row[],
  mintOf: (row: Row) => string,
): Promise<(Row & { readonly token: RowToken })[]> {
  const mints = [...new Set(rows.map(mintOf))];
  const allDecimals = await assetDecimals(ctx, environment, mints);
  const tokens = new Map(
    mints.map((mint, index): [string, RowToken] => {
      const decimals = allDecimals[index] ?? null;
      const { symbol } = describeAsset(ctx.config.clusters[environment], mint);
      return [
        mint,
        { symbol, toDecimal: (amount) => (decimals === null ? null : toDecimal(amount, decimals)) },
      ];
    }),
  );
  return rows.map((row) => ({ ...row, token: tokens.get(mintOf(row)) as RowToken }));
}
