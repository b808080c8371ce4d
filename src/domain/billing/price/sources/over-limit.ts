import { totalOf } from '../line.ts';
import type { LineSource, PriceFacts } from '../line-source.ts';

/**
 * Takes off what the program would refuse, because it does not fit into what is left of the limit.
 * The rest is collected.
 */
export const overLimit: LineSource<Pick<PriceFacts, 'limitLeft'>> = ({ limitLeft }, before) => {
  const left = limitLeft > 0n ? limitLeft : 0n;
  const over = totalOf(before) - left;
  return over > 0n ? [{ kind: 'OVER_LIMIT', text: 'Above the limit', amount: -over }] : [];
};
