/** Seeds of short runs that found a bug, replayed in every test run, each with the bug. */
export const SEEDS: readonly { readonly seed: number; readonly found: string }[] = [
  { seed: 2, found: 'nothing yet: every fault there is' },
];
