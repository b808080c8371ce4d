/**
 * Tables of what the program refuses, in the order in which it looks: one fault a row, and the code that it must answer.
 *
 * A row is tried alone, and together with the next row of another code: then the earlier one must be answered. That
 * pins the order of all checks, since each row is found at one place and every place comes before the next.
 */
import type { Instruction } from '@solana/kit';
import { expect, it } from 'vitest';
import type { Scenario } from './scenario.ts';

export type Fault = {
  /** What is wrong, as the end of a sentence that begins with "answers ... when". */
  name: string;
  code: number | string;
  /** Changes the world after the instruction was made. */
  given?: (scenario: Scenario) => unknown;
  /** Changes the instruction. */
  wrong?: (instruction: Instruction, scenario: Scenario) => Instruction | Promise<Instruction>;
};

async function refusalOf(
  from: () => Promise<Scenario>,
  call: Call,
  faults: Fault[],
): Promise<number | string> {
  const scenario = await from();
  let instruction = await call(scenario);
  // The earliest fault comes last, so that a later one that changes the same account does not hide it.
  for (const { given, wrong } of faults.toReversed()) {
    await given?.(scenario);
    if (wrong) instruction = await wrong(instruction, scenario);
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

/** `call` must land in the scenario as it is; each fault must spoil it. */
export function itRefuses(from: () => Promise<Scenario>, call: Call, faults: Fault[]): void {
  it('lands when nothing is wrong', async () => {
    const scenario = await from();
    expect(await scenario.world.send([await call(scenario)])).toMatchObject({ ok: true });
  });

  it.each(faults)('answers $code when $name', async (fault) => {
    expect(await refusalOf(from, call, [fault])).toBe(fault.code);
  });

  it.each(pairs(faults))(
    'answers $first.code, not $second.code, when $first.name and $second.name',
    async (pair) => {
      expect(await refusalOf(from, call, [pair.first, pair.second])).toBe(pair.first.code);
    },
  );
}
