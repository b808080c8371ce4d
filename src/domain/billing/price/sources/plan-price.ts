import type { LineSource } from '../line-source.ts';

/** The plan's price. */
export const planPrice: LineSource = ({ planName, price }) => [
  { kind: 'FLAT', text: planName, amount: price },
];
