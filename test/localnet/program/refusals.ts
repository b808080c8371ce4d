/**
 * Tests of the program's refusals from a table of faults with the expected codes, in the order of
 * the program's checks.
 *
 * Each fault is tested alone, and together with the next fault of another code: then the program
 * must return the earlier code. This verifies the order of all checks.
 */
import type { Instruction } from '@solana/kit';
import { expect, it } from 'vitest';
import type { Scenario } from './scenario.ts';

export type Fault = {
  /** The fault, as the end of a sentence that begins with "fails with ... if". */
  name: string;
  code: number | string;
  /** Changes the world after the instruction was built. */
  prepare?: (scenario: Scenario) => unknown;
  /** Changes the instruction. */
  alter?: (instruction: Instruction, scenario: Scenario) => Instruction | Promise<Instruction>;
};

async function findRefusal(
  start: () => Promise<Scenario>,
  call: Call,
  faults: Fault[],
): Promise<number | string> {
  const scenario = await start();
  let instruction = await call(scenario);
  // The earliest fault is applied last, so that a later one on the same account does not hide it.
  for (const { prepare, alter } of faults.toReversed()) {
    await prepare?.(scenario);
    if (alter) instruction = await alter(instruction, scenario);
  }
  return scenario.world.refusal([instruction]);
}

type Call = (scenario: Scenario) => Instruction | Promise<Instruction>;

function pairs(faults: Fault[]): { first: Fault; second: Fault }[] {
  return faults.flatMap((first, index) => {
    const second = faults.slice(index + 1).find(({ code }) => code !== first.code);
    return second ? [{ first, second }] : [];
  });
}

/** `call` must land in the unchanged scenario; each fault must make it fail. */
export function testRefusals(start: () => Promise<Scenario>, call: Call, faults: Fault[]): void {
  it('lands without a fault', async () => {
    const scenario = await start();
    expect(await scenario.world.send([await call(scenario)])).toMatchObject({ ok: true });
  });

  it.each(faults)('fails with $code if $name', async (fault) => {
    expect(await findRefusal(start, call, [fault])).toBe(fault.code);
  });

  it.each(pairs(faults))(
    'fails with $first.code, not $second.code, if $first.name and $second.name',
    async (pair) => {
      expect(await findRefusal(start, call, [pair.first, pair.second])).toBe(pair.first.code);
    },
  );
}
