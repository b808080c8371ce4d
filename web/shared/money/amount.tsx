import { formatAmount, formatNumber, type TokenAmount, unitOf } from './token-amount.ts';

export function Amount(props: TokenAmount) {
  return <span className="whitespace-nowrap tabular-nums">{formatAmount(props)}</span>;
}

/** An amount in the large type of its parent, with a small unit. */
export function BigAmount(props: TokenAmount) {
  return (
    <span className="whitespace-nowrap">
      {formatNumber(props)} <span className="text-sm font-normal text-soft">{unitOf(props)}</span>
    </span>
  );
}

/** Amounts of several tokens, one below the other. */
export function Amounts({ amounts }: { readonly amounts: readonly TokenAmount[] }) {
  if (amounts.length === 0) return <span className="text-soft">0</span>;
  return amounts.map((tokens) => (
    <span key={tokens.mint} className="block">
      <Amount {...tokens} />
    </span>
  ));
}
