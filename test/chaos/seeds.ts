/** Runs that found something, replayed for ever: what it was, and the seed of the short run that showed it. */
export const SEEDS: readonly { readonly seed: number; readonly found: string }[] = [
  { seed: 2, found: 'nothing yet: every fault there is' },
];
