/**
 * Tables of the program's refusals, in the order of its checks: one fault per row, and the expected
 * code.
 *
 * A row is tested alone, and together with the next row of another code: then the earlier code must
 * be returned. That fixes the order of all checks.
 */
import type { Instruction } from '@solana/kit';
import { expect, it } from 'vitest';
import type { Scenario } from './scenario.ts';

export type Fault = {
  /** The fault, as the end of a sentence that begins with "answers ... when". */
  name: string;
  code: number | string;
  /** Changes the world after the instruction was built. */
  prepare?: (scenario: Scenario) => unknown;
  /** Changes the instruction. */
  alter?: (instruction: Instruction, scenario: Scenario) => Instruction | Promise<Instruction>;
};

async function decisionAfterFailure(
  from: () => Promise<Scenario>,
  call: Call,
  faults: Fault[],
): Promise<number | string> {
  const scenario = await from();
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
  return faults.flatMap((first, at) => {
    const second = faults.slice(at + 1).find(({ code }) => code !== first.code);
    return second ? [{ first, second }] : [];
  });
}

/** `call` must land in the unchanged scenario; each fault must make it fail. */
export function testRefusals(from: () => Promise<Scenario>, call: Call, faults: Fault[]): void {
  it('lands when nothing is wrong', async () => {
    const scenario = await from();
    expect(await scenario.world.send([await call(scenario)])).toMatchObject({ ok: true });
  });

  it.each(faults)('answers $code when $name', async (fault) => {
    expect(await decisionAfterFailure(from, call, [fault])).toBe(fault.code);
  });

  it.each(pairs(faults))(
    'answers $first.code, not $second.code, when $first.name and $second.name',
    async (pair) => {
      expect(await decisionAfterFailure(from, call, [pair.first, pair.second])).toBe(pair.first.code);
    },
  );
}
