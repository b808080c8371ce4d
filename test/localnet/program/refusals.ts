/** Tables of what the program refuses: one wrong thing a row, and the code that it must answer. */
import type { Instruction } from '@solana/kit';
import { expect, it } from 'vitest';
import type { Scenario } from './scenario.ts';

export type RefusalCase = {
  /** A sentence that begins with what is wrong. */
  name: string;
  code: number | string;
  /** Arranges what is to be wrong and returns the instruction that must be refused. */
  attempt: (scenario: Scenario) => Instruction | Promise<Instruction>;
};

export function itRefuses(from: () => Promise<Scenario>, cases: RefusalCase[]): void {
  it.each(cases)('answers $code when $name', async ({ attempt, code }) => {
    const scenario = await from();
    const instruction = await attempt(scenario);
    expect(await scenario.world.refusal([instruction])).toBe(code);
  });
}
