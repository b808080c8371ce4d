/** Seeds of short runs, repeated in every test run, each with the bug that it found. */
export const SEEDS: readonly { readonly seed: number; readonly found: string }[] = [
  { seed: 2, found: 'nothing yet: every fault there is' },
];
