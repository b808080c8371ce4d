/** Discounts, pauses and waived payments in the dashboard, by keyboard alone. */
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createDiscount } from '../../src/domain/billing/discount/create-discount.ts';
import { createPlan } from '../../src/domain/catalog/plan/create-plan.ts';
import { findBrokenWords } from '../../tools/broken-words.ts';
import { findChromium } from '../../tools/chromium.ts';
import { tabTo } from '../../tools/dashboard/user-input.ts';
import { DAY } from '../domain/world.ts';
import { type DashboardWorld, type Member, startDashboardWorld, takeScreenshots } from './dashboard-world.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the pages of discounts are not tested');

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

describe.skipIf(!chromium)('discounts and pauses', () => {
  let world: DashboardWorld;
  let merchant: Awaited<ReturnType<DashboardWorld['newMerchant']>>;
  let member: Member;
  let page: Page;
  beforeAll(async () => {
    world = await startDashboardWorld(chromium ?? '');
    merchant = await world.newMerchant();
    await world.publishPlan(merchant, { planId: 'pro', name: 'Pro' });
    member = await world.signIn(merchant.wallet);
    page = member.page;
  });
  afterAll(() => world?.close());

  const press = async (target: Locator) => {
    await tabTo(target);
    await page.keyboard.press('Enter');
  };
  const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
  const confirm = async (name: string) => {
    await press(page.getByRole('dialog').getByRole('button', { name, exact: true }));
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  const typeInto = async (label: string, text: string) => {
    await tabTo(page.getByLabel(label, { exact: true }));
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.type(text);
  };
  /** Returns axe's findings, broken words and problems of the page, and takes pictures. */
  const faults = async (name: string) => {
    await page.waitForLoadState('networkidle');
    await takeScreenshots(member, name, [320, 390, 1440]);
    const broken = await findBrokenWords(page, [320, 390, 720, 1440]);
    return [...(await world.axeFindings(member)), ...broken, ...member.pageProblems];
  };
  const subscribe = async (email: string) => {
    const plan = await world.db.plan.findFirstOrThrow({ where: { planId: 'pro' } });
    return world.subscribe(merchant, plan, await world.newWallet(), { customerEmail: email });
  };

  it('creates a discount, and says which price it leads to', async () => {
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'No discounts yet' }).waitFor();
    expect(await faults('discounts-empty')).toEqual([]);
    await press(page.getByRole('main').getByRole('link', { name: 'Create discount' }).last());
    await page.getByRole('heading', { name: 'Create discount', level: 1 }).waitFor();
    await press(button('Create discount'));
    // All that is missing is said at once, and the first field has the focus.
    await page.getByText('Enter a number above 0, at most 100, with at most 2 decimals.').waitFor();
    const name = page.getByLabel('Name', { exact: true });
    expect(await name.evaluate((field) => document.activeElement === field)).toBe(true);
    await page.keyboard.type('Spring');
    await typeInto('Code', 'a b');
    await typeInto('Percent', '101');
    await press(button('Create discount'));
    await page.getByText('Enter 3 to 40 characters').waitFor();
    await typeInto('Percent', '50');
    await typeInto('Code', 'SPRING');
    const preview = page.getByRole('complementary', { name: 'What customers pay' });
    await preview
      .getByText('2.50 USDC every day for 3 days, then 5.00 USDC; at most 5.00 USDC every day on chain')
      .waitFor();
    await tabTo(page.getByLabel('Which payments'));
    await page.keyboard.press('ArrowDown');
    await preview.getByText('2.50 USDC every day instead of 5.00 USDC').waitFor();
    await page.keyboard.press('ArrowUp');
    await tabTo(page.getByRole('checkbox', { name: 'Pro' }));
    await page.keyboard.press('Space');
    await typeInto('Uses in total', '100');
    await page.getByLabel('Last day').fill('2026-11-30');
    await page.getByLabel('First day').fill('2026-12-31');
    await press(button('Create discount'));
    await page.getByText('The last day is before the first day.').waitFor();
    await page.getByLabel('First day').fill('');
    await page.getByLabel('Last day').fill('2027-03-31');
    expect(await faults('discount-create')).toEqual([]);
    await press(button('Create discount'));
    await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor();
    expect(await world.db.discount.findFirstOrThrow()).toMatchObject({
      name: 'Spring',
      percentBps: 5_000,
      periods: 3,
      maxRedemptions: 100,
      startsAt: null,
      endsAt: new Date('2027-04-01T00:00:00Z'),
    });
    await page.getByText('Customers enter SPRING at checkouts').waitFor();
    expect(await faults('discount-unused')).toEqual([]);
  });

  it('takes a fixed amount off the plans with its token', async () => {
    await page.goto(world.urlOf('/discounts/new'));
    await typeInto('Name', 'Two off');
    await tabTo(page.getByLabel('Takes off'));
    await page.keyboard.press('ArrowDown');
    await press(button('Create discount'));
    await page.getByText('Enter a number above zero with at most 6 decimals').waitFor();
    await typeInto('Amount', '2');
    await tabTo(page.getByLabel('Which payments'));
    await page.keyboard.press('Home');
    await page.getByText('3.00 USDC every day for 1 day, then 5.00 USDC').waitFor();
    await takeScreenshots(member, 'discount-create-amount', [320, 1440]);
    await press(button('Create discount'));
    await page.getByRole('heading', { name: 'Two off', level: 1 }).waitFor();
    await page.getByText('2.00 USDC · 1 payment').waitFor();
    const [created] = await world.db.discount.findMany({ where: { name: 'Two off' } });
    expect(created).toMatchObject({ amount: 2_000_000n, percentBps: null, periods: 1, code: null });
  });

  it('changes who gets a discount, switches it off and on, and lists it', async () => {
    await page.goto(world.urlOf('/discounts'));
    await press(page.getByRole('link', { name: 'Spring' }));
    await press(button('Edit'));
    await page.getByRole('dialog').waitFor();
    expect(await page.getByLabel('Last day').inputValue()).toBe('2027-03-31');
    await typeInto('Uses in total', 'many');
    await press(page.getByRole('dialog').getByRole('button', { name: 'Save' }));
    await page.getByText('Enter a whole number above 0, or leave it empty.').waitFor();
    await typeInto('Uses in total', '50');
    expect(await faults('discount-edit')).toEqual([]);
    await confirm('Save');
    await page.getByText('0 of 50').waitFor();
    await press(button('Switch off'));
    expect(await faults('discount-switch')).toEqual([]);
    await confirm('Switch off');
    await page.getByText('Off', { exact: true }).first().waitFor();
    const where = { name: 'Spring' };
    // Fields that were not changed are not sent.
    expect(await world.db.discount.findFirstOrThrow({ where })).toMatchObject({
      isActive: false,
      maxRedemptions: 50,
      endsAt: new Date('2027-04-01T00:00:00Z'),
    });
    await press(button('Switch on'));
    await confirm('Switch on');
    await page.getByText('On', { exact: true }).first().waitFor();
    const terms = { name: 'Old', code: 'OLD', percentBps: 1_250, periods: 1 };
    await createDiscount(world.ctx, merchant.scope, { ...terms, endsAt: new Date('2026-01-01') });
    const plans = ['one', 'two', 'three'];
    for (const planId of plans) {
      const draft = { planId, name: `Plan ${planId}`, amount: 1n, intervalSeconds: DAY };
      await createPlan(world.ctx, merchant.scope, draft);
    }
    await createDiscount(world.ctx, merchant.scope, { name: 'Forever', percentBps: 1_000, planIds: plans });
    await page.goto(world.urlOf('/discounts'));
    await page.getByRole('row', { name: /Old\s*OLD.*Ended.*12\.5%.*1 payment/ }).waitFor();
    await page.getByRole('row', { name: /Forever.*10%.*All payments.*and 1 more/ }).waitFor();
    await page.getByRole('row', { name: /Spring\s*SPRING.*On.*50%.*3 payments.*0 of 50.*Pro/ }).waitFor();
    expect(await faults('discounts')).toEqual([]);
  });

  it('gives a subscription a discount, replaces it and takes it away', async () => {
    const { id } = await subscribe('ada@example.com');
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    const card = page.locator('section', {
      has: page.getByRole('heading', { name: 'Discount', exact: true }),
    });
    await press(card.getByRole('button', { name: 'Apply discount' }));
    const choice = page.getByRole('dialog').getByLabel('Discount');
    // Those that have ended or are for other plans are not offered.
    await choice.locator('option').first().waitFor({ state: 'attached' });
    expect(await choice.locator('option').allTextContents()).toEqual([
      'Two off (2.00 USDC, 1 payment)',
      'Spring (50%, 3 payments)',
    ]);
    await tabTo(choice);
    await page.keyboard.press('ArrowDown');
    expect(await faults('subscription-apply-discount')).toEqual([]);
    await confirm('Apply discount');
    await card.getByRole('link', { name: 'Spring' }).waitFor();
    expect(await card.textContent()).toMatch(/Takes off50%Payments left3Full price from/);
    expect(await faults('subscription-discount')).toEqual([]);
    await press(card.getByRole('link', { name: 'Spring' }));
    await page.getByRole('row', { name: /ada@example\.com.*Pro.*Used/ }).waitFor();
    await page.getByText('1 of 50').waitFor();
    expect(await faults('discount')).toEqual([]);
    await press(page.getByRole('link', { name: 'ada@example.com' }));
    await press(card.getByRole('button', { name: 'Replace' }));
    await page.getByText('It replaces Spring.').waitFor();
    await confirm('Apply discount');
    await card.getByRole('link', { name: 'Two off' }).waitFor();
    await press(card.getByRole('button', { name: 'Remove' }));
    await confirm('Remove');
    await card.getByText('None').waitFor();
    expect(await world.db.subscription.findUniqueOrThrow({ where: { id } })).toMatchObject({
      discountFrom: null,
    });
  });

  const dialog = () => page.getByRole('dialog');
  const choose = async (label: string) => {
    await press(button('Pause or waive'));
    const what = dialog().getByLabel('What to do');
    await tabTo(what);
    const options = await what.locator('option').allTextContents();
    await page.keyboard.press('Home');
    for (let at = 0; at < options.indexOf(label); at++) await page.keyboard.press('ArrowDown');
    expect(await what.locator('option:checked').textContent()).toBe(label);
  };
  const waiversOf = (subscriptionId: string) =>
    world.db.waiver.findMany({ where: { subscriptionId }, orderBy: { fromIndex: 'asc' } });

  it('waives a payment, and gives free periods', async () => {
    const { id } = await subscribe('bob@example.com');
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    await choose('Waive one payment');
    expect(await faults('waive')).toEqual([]);
    await confirm('Do not charge');
    await choose('Give free periods');
    await typeInto('Number of periods, from 1 to 12', '3');
    expect(await faults('free')).toEqual([]);
    await confirm('Do not charge');
    await page.getByText('Payments waived.').first().waitFor();
    const free = (await waiversOf(id)).find(({ kind }) => kind === 'FREE');
    expect(Number(free?.untilIndex) - Number(free?.fromIndex)).toBe(3);
    const [payment] = await world.db.payment.findMany({ where: { subscriptionId: id } });
    expect(payment).toMatchObject({ status: 'WAIVED', waivedReason: 'MERCHANT' });
  });

  it('skips a payment, resumes, and pauses without an end', async () => {
    const { id } = await subscribe('cleo@example.com');
    await page.goto(world.urlOf(`/subscriptions/${id}`));
    await choose('Skip the next payment');
    await tabTo(dialog().getByLabel('The customer keeps access'));
    await page.keyboard.press('Space');
    await typeInto('Reason', 'Holidays');
    expect(await faults('skip')).toEqual([]);
    await confirm('Do not charge');
    await page.getByRole('heading', { name: /^Paused from .* until / }).waitFor();
    await page.getByText('The customer keeps access.').waitFor();
    const [skipped] = await waiversOf(id);
    expect(skipped).toMatchObject({ kind: 'PAUSE', keepsAccess: true, reason: 'Holidays' });
    expect(Number(skipped?.untilIndex) - Number(skipped?.fromIndex)).toBe(1);
    await press(button('Resume'));
    expect(await faults('resume')).toEqual([]);
    await confirm('Resume');
    await page.getByRole('heading', { name: /^Paused from/ }).waitFor({ state: 'detached' });
    await choose('Pause until it is resumed');
    expect(await faults('pause')).toEqual([]);
    await confirm('Do not charge');
    await page.getByRole('heading', { name: /^Paused from .* until it is resumed/ }).waitFor();
    expect(await faults('subscription-paused')).toEqual([]);
    await press(button('Pause or waive'));
    // A second pause is not offered.
    expect(await dialog().getByLabel('What to do').locator('option').allTextContents()).toEqual([
      'Give free periods',
      'Waive one payment',
    ]);
    await page.keyboard.press('Escape');
  });
});
