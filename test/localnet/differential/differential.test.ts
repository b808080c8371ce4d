/**
 * Runs the same transactions on this repository's program and on the official one. Only the compute
 * units may differ.
 */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { OWN_PROGRAM_FILE } from '../../../localnet/genesis.ts';
import { findKnownAccounts } from './known-accounts.ts';
import { Machines } from './machines.ts';
import { playEpisodes } from './play.ts';

const official = process.env.OFFICIAL_PROGRAM;
const hasOfficial = official !== undefined && existsSync(official);
const transactions = Number(process.env.DIFFERENTIAL_TRANSACTIONS ?? 20_000);
const seed = Number(process.env.DIFFERENTIAL_SEED ?? 1);

if (!hasOfficial) {
  console.warn(
    `The program is not compared with the official one: ${official ? `the file ${official} of OFFICIAL_PROGRAM does not exist` : 'OFFICIAL_PROGRAM is not set'}.`,
  );
}

describe.runIf(hasOfficial)('the program of this repository', () => {
  it(
    `behaves like the official one in ${transactions} random transactions`,
    async () => {
      const machines = new Machines(readFileSync(OWN_PROGRAM_FILE), readFileSync(official as string));
      const tally = playEpisodes(machines, await findKnownAccounts(), seed, transactions);
      const landed = tally.get('landed') ?? 0;
      console.log(
        `${transactions} transactions from seed ${seed}: ${landed} landed, ${tally.size - 1} different errors`,
      );
      if (process.env.DIFFERENTIAL_TALLY) console.log([...tally].sort((a, b) => b[1] - a[1]));
      // A third of the transactions are mutated, and many name missing accounts. With far fewer
      // successes the test would cover little.
      expect(landed).toBeGreaterThan(transactions / 8);
    },
    600_000 + transactions * 20,
  );
});
