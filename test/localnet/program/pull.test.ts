/** 10 transferSubscription: the transfer, the counter and the event. */
import { findAssociatedTokenPda } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { event, packed } from './packed-bytes.ts';
import { openScenario, PERIOD, PRICE, type Scenario, START_BALANCE } from './scenario.ts';
import { openTokenAccount, type TokenKind, tokenState } from './tokens.ts';
import { person, START } from './world.ts';

function readAmounts(s: Scenario) {
  const amountOf = (address: Scenario['subscriberTokens']) => tokenState(s.world, address).amount;
  return { subscriber: amountOf(s.subscriberTokens), merchant: amountOf(s.merchantTokens) };
}

type Transfer = { amount: bigint; start: bigint; end: bigint; pulled: bigint };

function transferEvent(s: Scenario, { amount, start, end, pulled }: Transfer) {
  return event(
    2,
    ...[s.subscription, s.plan, s.subscriber.address, s.mint.address],
    ...[amount, START + start, START + end, pulled],
    ...[s.merchant.address, s.merchantTokens, s.puller.address],
  );
}

describe('transferSubscription', () => {
  const kinds: TokenKind[] = ['token', 'token-2022', 'token-2022 with an extension'];
  it.each(kinds)('transfers, counts and emits a first payment in a mint of kind %s', async (kind) => {
    const s = await openScenario({ kind });
    s.world.setTime(60n);
    const expected = s.world.data(s.subscription);
    const { events } = await s.world.land([s.pull()]);
    expected.set(packed(PRICE, START), 131);
    expect(s.world.data(s.subscription)).toEqual(expected);
    expect(readAmounts(s)).toEqual({ subscriber: START_BALANCE - PRICE, merchant: PRICE });
    expect(events).toEqual([transferEvent(s, { amount: PRICE, start: 0n, end: PERIOD, pulled: PRICE })]);
  });

  it('accepts several pulls in a period, up to the price', async () => {
    const s = await openScenario();
    await s.world.land([s.pull({ amount: 300n })]);
    const { events } = await s.world.land([s.pull({ amount: 700n })]);
    expect(events).toEqual([transferEvent(s, { amount: 700n, start: 0n, end: PERIOD, pulled: PRICE })]);
    expect(await s.world.refusal([s.pull({ amount: 1n })])).toBe(400);
  });

  it('advances by whole periods and forfeits the missed ones', async () => {
    const s = await openScenario();
    await s.world.land([s.pull({ amount: 300n })]);
    s.world.setTime(3n * PERIOD + 5n);
    const { events } = await s.world.land([s.pull()]);
    const start = 3n * PERIOD;
    expect(events).toEqual([transferEvent(s, { amount: PRICE, start, end: start + PERIOD, pulled: PRICE })]);
    expect(await s.world.refusal([s.pull({ amount: 1n })])).toBe(400);
  });

  it('starts the next period in its first second and not earlier', async () => {
    const s = await openScenario();
    await s.world.land([s.pull()]);
    s.world.setTime(PERIOD - 1n);
    expect(await s.world.refusal([s.pull({ amount: 1n })])).toBe(400);
    s.world.setTime(PERIOD);
    await s.world.land([s.pull()]);
    expect(s.readSubscription().currentPeriodStartTs).toBe(START + PERIOD);
  });

  it('ends a last, shorter period with the plan', async () => {
    const end = 2n * PERIOD + 100n;
    const s = await openScenario({ terms: { endTs: START + end } });
    s.world.setTime(end);
    const { events } = await s.world.land([s.pull()]);
    expect(events).toEqual([transferEvent(s, { amount: PRICE, start: 2n * PERIOD, end, pulled: PRICE })]);
  });

  it('starts no period in the second in which the plan ends', async () => {
    const s = await openScenario({ terms: { endTs: START + 2n * PERIOD } });
    s.world.setTime(2n * PERIOD);
    const { events } = await s.world.land([s.pull()]);
    expect(events).toEqual([
      transferEvent(s, { amount: PRICE, start: PERIOD, end: 2n * PERIOD, pulled: PRICE }),
    ]);
    expect(await s.world.refusal([s.pull({ amount: 1n })])).toBe(400);
  });

  it('collects a cancelled subscription until the second before it expires', async () => {
    const s = await openScenario();
    await s.world.land([await s.cancel()]);
    s.world.setTime(PERIOD - 1n);
    await s.world.land([s.pull()]);
    expect(readAmounts(s).merchant).toBe(PRICE);
  });

  it('collects from subscribers of a plan that accepts no new ones', async () => {
    const s = await openScenario();
    await s.world.land([s.updatePlan({ status: 0, endTs: START + 2n * PERIOD })]);
    await s.world.land([s.pull()]);
    expect(readAmounts(s).merchant).toBe(PRICE);
  });

  it('accepts the owner as the caller', async () => {
    const s = await openScenario();
    const { events } = await s.world.land([s.pull({ caller: s.merchant })]);
    expect(events[0]?.subarray(-32)).toEqual(packed(s.merchant.address));
  });

  it('accepts each of four pullers with each of four destinations', async () => {
    const people = await Promise.all(['one', 'two', 'three', 'four'].map(person));
    const addresses = people.map(({ address }) => address);
    const s = await openScenario({ terms: { pullers: addresses, destinations: addresses } });
    for (const caller of people) {
      const to = await openTokenAccount(s.world, caller.address, s.mint);
      await s.world.land([s.pull({ caller, to, amount: 10n })]);
      expect(tokenState(s.world, to).amount).toBe(10n);
    }
  });

  it('pays to any account if the plan names no destination', async () => {
    const s = await openScenario({ terms: { destinations: [] } });
    const to = await openTokenAccount(s.world, (await person('passer-by')).address, s.mint);
    await s.world.land([s.pull({ to })]);
    expect(tokenState(s.world, to).amount).toBe(PRICE);
  });

  it('accepts any account of a destination’s owner', async () => {
    const s = await openScenario();
    // A token account of the merchant that is not the associated one.
    const { address: to } = await person('a second account of the merchant');
    s.world.tamper(to, s.world.svm.getAccount(s.merchantTokens) as { data: Uint8Array });
    await s.world.land([s.pull({ to })]);
    expect(tokenState(s.world, to).amount).toBe(PRICE);
  });

  it('costs less than 4,000 compute units, and 1,500 for each derivation', async () => {
    const s = await openScenario();
    const { mint, subscriber } = s;
    const seeds = { owner: subscriber.address, mint: mint.address, tokenProgram: mint.tokenProgram };
    const [, bump] = await findAssociatedTokenPda(seeds);
    const { units } = await s.world.land([s.pull()]);
    expect(Number(units) - 1_500 * (256 - bump)).toBeLessThan(4_000);
  });
});
