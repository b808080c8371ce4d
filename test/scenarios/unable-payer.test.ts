import type { Address } from '@solana/kit';
import { getApproveInstruction, getRevokeInstruction, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { tokenAccountAddress } from '../../src/chain/accounts/addresses.ts';
import { repairToSign } from '../../tools/world/transactions-to-sign.ts';
import { sharedByFile } from '../support/shared-by-file.ts';
import { DAY, HOUR, PRICE, type Subscriber, startWorld } from './world.ts';

const world = await sharedByFile(startWorld());

const PAST_DUE = { state: 'past_due', failureCount: 1 };
const ACTIVE = { state: 'active', failureCount: 0 };
const RECOVERED = ['created', 'payment_succeeded', 'payment_failed', 'payment_succeeded'];

async function failureCodes(address: string) {
  const attempts = await world.ctx.db.attempt.findMany({
    where: { payment: { subscription: { address } }, status: 'FAILED' },
    orderBy: { createdAt: 'asc' },
  });
  return attempts.map(({ failureCode }) => failureCode);
}

const setFrozen = (wallet: Address, frozen: boolean) =>
  world.rpc('surfnet_setTokenAccount', [wallet, USDC_MINT, { state: frozen ? 'frozen' : 'initialized' }]);

/**
 * Waits until a missing approval is counted. While the indexer is behind the chain it is not: the
 * payment is tried again some seconds later.
 */
const untilPastDue = ({ state }: Pick<Subscriber, 'state'>) =>
  world.until('the missing approval is counted', async () => (await state()).state === 'past_due');

/** Travels until the payment has recovered. While the indexer is behind, it is tried again later. */
const untilActive = ({ state }: Pick<Subscriber, 'state'>) =>
  world.until('the payment has recovered', async () => {
    await world.travel(65);
    return (await state()).state === 'active';
  });

describe('a payer', () => {
  it('who revoked the approval is past due, and recovers with the repair', async () => {
    const { wallet, id, state } = await world.subscriber(await world.plan());
    await world.quiet();
    const source = await tokenAccountAddress(wallet.address, USDC_MINT, TOKEN_PROGRAM_ADDRESS);
    await world.land(wallet, [getRevokeInstruction({ source, owner: wallet })]);
    await world.travel(DAY);
    await untilPastDue({ state });
    await world.quiet();
    expect(await state()).toEqual(PAST_DUE);
    expect(world.webhooks(id).at(-1)?.data).toMatchObject({
      amountRequired: `${PRICE}`,
      balanceAvailable: `${99n * PRICE}`,
    });
    const terms = { subscriber: wallet.address, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS };
    await world.sign(wallet, await repairToSign(world.chain, terms));
    await untilActive({ state });
    expect(await state()).toEqual(ACTIVE);
    expect(world.receivedEvents(id)).toEqual(RECOVERED);
    expect(await failureCodes(id)).toEqual(['APPROVAL_REVOKED']);
  });

  it('with more tokens than the database can store fails for its approval', async () => {
    const { wallet, id, state, setBalance } = await world.subscriber(await world.plan());
    await world.quiet();
    await setBalance(2n ** 64n - 1n);
    const source = await tokenAccountAddress(wallet.address, USDC_MINT, TOKEN_PROGRAM_ADDRESS);
    await world.land(wallet, [getRevokeInstruction({ source, owner: wallet })]);
    await world.jump(DAY);
    await world.until('the failure is reported', () => world.receivedEvents(id).length === 3);
    expect(await state()).toEqual(PAST_DUE);
    expect(world.webhooks(id).at(-1)?.data).toMatchObject({ balanceAvailable: `${2n ** 63n - 1n}` });
  });

  it('whose approval another app replaced repairs all subscriptions with one signature', async () => {
    const first = await world.subscriber(await world.plan());
    const second = await world.subscriber(await world.plan(), { wallet: first.wallet });
    const neighbour = await world.subscriber(await world.plan());
    await world.quiet();
    const { wallet } = first;
    const source = await tokenAccountAddress(wallet.address, USDC_MINT, TOKEN_PROGRAM_ADDRESS);
    const delegate = neighbour.wallet.address;
    await world.land(wallet, [getApproveInstruction({ source, delegate, owner: wallet, amount: PRICE })]);
    await world.travel(DAY);
    await Promise.all([first, second].map(untilPastDue));
    await world.quiet();
    for (const { state } of [first, second]) expect(await state()).toEqual(PAST_DUE);
    expect(await neighbour.state()).toEqual(ACTIVE);
    const terms = { subscriber: wallet.address, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS };
    await world.sign(wallet, await repairToSign(world.chain, terms));
    for (const subscriber of [first, second]) await untilActive(subscriber);
    for (const { id, state } of [first, second]) {
      expect(await state()).toEqual(ACTIVE);
      expect(world.receivedEvents(id)).toEqual(RECOVERED);
      expect(await failureCodes(id)).toEqual(['APPROVAL_REVOKED']);
    }
  });

  it('whose token account is frozen is past due, and recovers once it is thawed', async () => {
    const { wallet, id, state } = await world.subscriber(await world.plan());
    await world.quiet();
    await setFrozen(wallet.address, true);
    await world.travel(DAY);
    expect(await state()).toEqual(PAST_DUE);
    await setFrozen(wallet.address, false);
    await world.travel(65);
    expect(await state()).toEqual(ACTIVE);
    expect(world.receivedEvents(id)).toEqual(RECOVERED);
    expect(await failureCodes(id)).toEqual(['ACCOUNT_FROZEN']);
  });

  it('who has money for one of two subscriptions pays the longer overdue one', async () => {
    const older = await world.subscriber(await world.plan());
    const { wallet } = older;
    const overdue = await world.subscriber(await world.plan({ interval: DAY - HOUR }), { wallet });
    await world.quiet();
    await overdue.setBalance(PRICE);
    await world.travel(DAY);
    expect(await overdue.state()).toEqual(ACTIVE);
    expect(await older.state()).toEqual(PAST_DUE);
    expect(world.receivedEvents(overdue.id).at(-1)).toBe('payment_succeeded');
    expect(world.receivedEvents(older.id).at(-1)).toBe('payment_failed');
    expect(await world.tokensOf(wallet.address)).toBe(0n);
    // Both payers were checked together, so no transaction was sent that had to fail.
    expect(await world.ctx.db.transferTransaction.count({ where: { status: 'FAILED' } })).toBe(0);
  });
});
