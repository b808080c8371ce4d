import type { OfferData } from '../../../src/api/pages/page-data.ts';
import { toDecimal } from '../../../src/domain/catalog/money/decimal-amount.ts';
import { tokenName } from '../../../src/domain/catalog/money/price-text.ts';

const SOL_DECIMALS = 9;

/** An amount in the token of an offer: `5.00 USDC`. */
export function inToken({ token }: OfferData, baseUnits: string): string {
  return `${toDecimal(BigInt(baseUnits), token?.decimals ?? 0)} ${tokenName(token)}`;
}

/** An amount in SOL: `0.000005 SOL`. */
export function inSol(lamports: string): string {
  return `${toDecimal(BigInt(lamports), SOL_DECIMALS)} SOL`;
}
