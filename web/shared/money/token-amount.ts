import { toDecimal } from '../../../src/domain/catalog/money/decimal-amount.ts';
import { knownAsset, type TokenAsset } from './assets.ts';

export interface TokenAmount {
  /** Base units. */
  readonly amount: string;
  readonly mint: string;
  /** Query it: `asset { mint symbol decimals }`. Without it, only USDC has a name and decimals. */
  readonly asset?: TokenAsset;
}

const assetOf = ({ mint, asset }: TokenAmount): TokenAsset => asset ?? knownAsset(mint);

/** Formats an amount exactly: `1,234.50 USDC`. */
export function formatAmount(tokens: TokenAmount): string {
  return `${formatNumber(tokens)} ${unitOf(tokens)}`;
}

/** Formats an amount exactly, without its unit: `1,234.50`. */
export function formatNumber(tokens: TokenAmount): string {
  const { decimals } = assetOf(tokens);
  const decimal = toDecimal(BigInt(tokens.amount), decimals ?? 0);
  const digits = decimal.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A string is formatted with all its digits; a number would lose some.
  return format.format(decimal as Intl.StringNumericLiteral);
}

/** The name of an amount's unit: `USDC`, `4zMM…ncDU`, `units of 4zMM…ncDU`. */
export function unitOf(tokens: TokenAmount): string {
  const { mint, symbol, decimals } = assetOf(tokens);
  const name = symbol ?? `${mint.slice(0, 4)}…${mint.slice(-4)}`;
  return typeof decimals === 'number' ? name : `units of ${name}`;
}

/** An amount as a number, only for drawing and comparing. */
export function approximateAmount(tokens: TokenAmount): number {
  return Number(tokens.amount) / 10 ** (assetOf(tokens).decimals ?? 0);
}

/** Sums the amounts of each token. */
export function sumByToken(amounts: readonly TokenAmount[]): TokenAmount[] {
  const sums = new Map<string, TokenAmount>();
  for (const tokens of amounts) {
    const sum = BigInt(sums.get(tokens.mint)?.amount ?? 0);
    sums.set(tokens.mint, { ...tokens, amount: String(sum + BigInt(tokens.amount)) });
  }
  return [...sums.values()];
}
