import type { AppContext } from '../../../app.ts';
import type { Environment } from '../../../generated/prisma/client.ts';
import { assetDecimals } from '../../catalog/asset/asset-decimals.ts';
import { describeAsset } from '../../catalog/asset/describe-asset.ts';
import { toDecimal } from '../../catalog/money/decimal-amount.ts';

/** Writes amounts of a token: `9.99 USDC`. */
export type AmountText = (amount: bigint) => string;

/**
 * The function that writes amounts of a token. It writes base units while the token's decimals are
 * not known, which is only the case while the cluster does not respond.
 */
export async function amountTexts(
  ctx: Pick<AppContext, 'config' | 'chain' | 'away' | 'log'>,
  environment: Environment,
  mint: string,
): Promise<AmountText> {
  const { symbol } = describeAsset(ctx.config.clusters[environment], mint);
  const [decimals] = await assetDecimals(ctx, environment, [mint]);
  if (decimals == null) return (amount) => `${amount} base units of ${symbol ?? mint}`;
  return (amount) => `${toDecimal(amount, decimals)} ${symbol ?? `of the token ${mint}`}`;
}
