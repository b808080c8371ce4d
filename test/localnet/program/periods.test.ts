/** Compares the program with the model for random plans, commands and times. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScenario, HOUR, type Scenario } from './scenario.ts';
import { type Command, judge, type SubscriptionState, type Terms } from './subscription-model.ts';
import { tokenState } from './tokens.ts';
import { createWorld, START } from './world.ts';

const PRICE = 100n;
const periodHours = fc.integer({ min: 1, max: 50 }).map(BigInt);

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt(0n, PRICE + 20n).map((amount) => ({ kind: 'pull' as const, amount })) },
  { weight: 1, arbitrary: fc.constant({ kind: 'cancel' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'resume' as const }) },
);

/** The wait before a command: often none, and often until about the end of a period. */
const wait = fc.oneof(
  fc.constant({ periods: 0n, seconds: 0n }),
  fc.record({ periods: fc.bigInt(0n, 3n), seconds: fc.bigInt(-1n, 1n) }),
  fc.record({ periods: fc.bigInt(0n, 200n), seconds: fc.bigInt(0n, HOUR) }),
);

const history = fc.record({
  periodHours,
  /** The plan's end in periods and seconds from now, if it has one. */
  end: fc.option(fc.record({ periods: fc.bigInt(1n, 8n), seconds: fc.bigInt(0n, HOUR) })),
  steps: fc.array(fc.record({ wait, command }), { minLength: 1, maxLength: 25 }),
});

function readState(s: Scenario): SubscriptionState {
  const { currentPeriodStartTs, amountPulledInPeriod, expiresAtTs } = s.readSubscription();
  return {
    periodStart: currentPeriodStartTs,
    pulled: amountPulledInPeriod,
    expiresAt: expiresAtTs === 0n ? null : expiresAtTs,
  };
}

function instructionFor(s: Scenario, next: Command) {
  if (next.kind === 'pull') return s.pull({ amount: next.amount });
  return next.kind === 'cancel' ? s.cancel() : s.resume();
}

describe('a subscription in all its states', () => {
  it('is pulled as the model predicts, in any order of calls', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ periodHours, end, steps }) => {
        const period = periodHours * HOUR;
        const planEnd = end && START + end.periods * period + end.seconds;
        const terms: Terms = { price: PRICE, period, planEnd };
        const s = await createScenario({
          world: await createWorld(),
          terms: { amount: PRICE, periodHours, endTs: planEnd ?? 0n },
        });
        await s.open();

        let expected: SubscriptionState = { periodStart: START, pulled: 0n, expiresAt: null };
        let [now, received] = [START, 0n];
        for (const step of steps) {
          // The clock of a cluster never goes back.
          const waitSeconds = step.wait.periods * period + step.wait.seconds;
          now += waitSeconds > 0n ? waitSeconds : 0n;
          s.world.setTime(now - START);
          const verdict = judge(terms, expected, step.command, now);
          const outcome = await s.world.send([await instructionFor(s, step.command)]);
          if ('refused' in verdict) {
            expect(outcome).toEqual({ ok: false, index: 0, code: verdict.refused });
          } else {
            expect(outcome).toMatchObject({ ok: true });
            expected = verdict.state;
            if (step.command.kind === 'pull') received += step.command.amount;
          }
          expect(readState(s)).toEqual(expected);
          expect(tokenState(s.world, s.merchantTokens).amount).toBe(received);
        }
      }),
      { numRuns: 80 },
    );
  });

  it('never pays more than the price per period', async () => {
    await fc.assert(
      fc.asyncProperty(
        periodHours,
        fc.array(fc.bigInt(1n, 3n * 50n * HOUR), { maxLength: 15 }),
        async (hours, waits) => {
          const s = await createScenario({ terms: { amount: PRICE, periodHours: hours } });
          await s.open();
          const period = hours * HOUR;
          let elapsedSeconds = 0n;
          for (const seconds of waits) {
            elapsedSeconds += seconds;
            s.world.setTime(elapsedSeconds);
            await s.world.send([s.pull()]);
          }
          const { amount } = tokenState(s.world, s.merchantTokens);
          expect(amount).toBeLessThanOrEqual((elapsedSeconds / period + 1n) * PRICE);
        },
      ),
      { numRuns: 20 },
    );
  });
});
