/** Settings, team, audit log, health, search and sign-up in the dashboard. */
import type { Address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { USDC_MINT } from '../../localnet/genesis.ts';
import { receivingAddresses } from '../../src/chain/accounts/receiving-accounts.ts';
import { changeMemberRole } from '../../src/domain/accounts/member/change-member-role.ts';
import { recordEvent } from '../../src/domain/messages/event/record-event.ts';
import type { MemberRole } from '../../src/generated/prisma/client.ts';
import { findBrokenWords } from '../../tools/broken-words.ts';
import { findChromium } from '../../tools/chromium.ts';
import { SOON } from '../support/soon.ts';
import {
  type DashboardWorld,
  type Member,
  saveAndOpenView,
  startDashboardWorld,
  takeScreenshots,
} from './dashboard-world.ts';
import { MEMBER_WALLET } from './member-wallet.ts';

const chromium = findChromium();
if (!chromium) console.warn('SKIPPED: no chromium: the pages of the account are not tested');

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 });

describe.skipIf(!chromium)('the account in the dashboard', () => {
  let world: DashboardWorld;
  let merchant: Awaited<ReturnType<DashboardWorld['newMerchant']>>;

  beforeAll(async () => {
    world = await startDashboardWorld(chromium ?? '');
    world.fund(world.chain.collector.address, 1_500_000_000n);
    merchant = await world.newMerchant();
    const pro = await world.publishPlan(merchant, { planId: 'pro', name: 'Pro' });
    await world.subscribe(merchant, pro, await world.newWallet(), { customerEmail: 'ada@example.com' });
  });
  afterAll(() => world?.close());

  /** Opens the search with its shortcut, and types into it. */
  async function searchFor(page: Member['page'], text: string) {
    await page.keyboard.press('/');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.keyboard.type(text);
  }

  /** Creates a wallet that is a member of the merchant. */
  async function newMember(role: MemberRole) {
    const wallet = await world.newWallet();
    await world.db.member.create({
      data: {
        merchantId: merchant.merchant.id,
        walletAddress: wallet.address,
        role,
        createdAt: world.ctx.clock.now(),
      },
    });
    return wallet;
  }

  it('changes the settings, and shows errors beside their fields', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/settings'));
    const card = (title: string) => page.locator('section').filter({ hasText: title });
    await page.getByLabel('Company name').fill('Acme Rockets');
    await page.getByLabel('Support address').fill('nobody');
    await card('Support address').getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^This must/).waitFor();
    await page.getByLabel('Support address').fill('help@acme.example');
    await card('Support address').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: /Acme Rockets/ }).waitFor();

    await page.getByLabel('The subscription expires after').selectOption('4');
    await page.getByLabel('Wait after failure 3', { exact: true }).fill('2');
    await page.getByLabel('Unit of the wait after failure 3').selectOption('hours');
    await page.getByLabel('Grace').selectOption({ label: '7 days' });
    await card('Failed payments').getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Addresses, one per line').fill('https://shop.example\nhttps://b.example/pay');
    await card('Allowed redirects').getByRole('button', { name: 'Save' }).click();
    await vi.waitFor(async () => {
      const row = await world.db.merchant.findUniqueOrThrow({
        where: { id: merchant.merchant.id },
        include: { settings: true },
      });
      expect(row).toMatchObject({
        companyName: 'Acme Rockets',
        supportEmail: 'help@acme.example',
        settings: [
          {
            maxFailures: 4,
            retryDelaysSeconds: [60, 300, 7200],
            graceSeconds: 7 * 86_400,
            redirectUrlsAllowed: ['https://shop.example/', 'https://b.example/pay'],
          },
        ],
      });
    });
    expect(pageProblems).toEqual([]);
  });

  it('sets that the service pays for customers without SOL, up to an amount per day', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/settings'));
    const card = page.locator('section').filter({ hasText: 'Customers without SOL' });
    const amount = card.getByLabel('Daily limit in SOL');
    await card.getByLabel('Pay for customers without SOL').check();
    await amount.fill('a little');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Enter an amount of SOL, like 0.05.').waitFor();
    await amount.fill('11');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText(/^This must/).waitFor();
    await amount.fill('0.25');
    await card.getByRole('button', { name: 'Save' }).click();
    const settings = { merchantId: merchant.merchant.id, environment: 'TEST' as const };
    await vi.waitFor(async () => {
      expect(await world.db.merchantSettings.findFirst({ where: settings })).toMatchObject({
        sponsorsCustomers: true,
        sponsoredLamportsPerDay: 250_000_000n,
      });
    });
    await page.reload();
    expect(await card.getByLabel('Pay for customers without SOL').isChecked()).toBe(true);
    expect(await amount.inputValue()).toBe('0.25');
    expect(await world.axeFindings({ page, pageProblems })).toEqual([]);
    expect(pageProblems).toEqual([]);
  });

  it('divides payments among accounts that the wallet creates, and moves their tokens', async () => {
    const owner = await world.newMerchant();
    await world.publishPlan(owner, { planId: 'large' });
    const member = await world.signIn(owner.wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf('/settings'));
    const card = page.locator('section').filter({ hasText: 'Receiving accounts, USDC' });
    const states = () => card.getByRole('row').getByText(/^(In use|Not created yet|Not used any more)$/);
    await card.getByText('In use').waitFor();
    expect(await card.getByRole('button', { name: /^(Create|Move)/ }).count()).toBe(0);
    await card.getByLabel('Payments are divided among').selectOption('6 accounts');
    await card.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Receiving accounts saved.').waitFor();
    await card.getByRole('button', { name: 'Create 5 accounts' }).click();
    expect(await states().allTextContents()).toEqual(['In use', ...Array(5).fill('Not created yet')]);
    const sign = page.getByRole('dialog').getByRole('button', { name: `Sign with ${MEMBER_WALLET}` });
    await sign.click();
    // The first transaction creates four accounts, and the last one needs another.
    await page.getByRole('dialog', { name: 'Create 1 account' }).waitFor();
    await sign.click();
    await page.getByText('Accounts created.').waitFor();
    expect(await states().allTextContents()).toEqual(Array(6).fill('In use'));
    await takeScreenshots(member, 'receiving-accounts');
    expect(await world.axeFindings(member)).toEqual([]);

    const [, second] = await receivingAddresses(
      { owner: owner.wallet.address, mint: USDC_MINT, tokenProgram: TOKEN_PROGRAM_ADDRESS },
      2,
    );
    const account = world.network.getAccount(second as Address, 'processed');
    if (!account) throw new Error('no second account');
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(12_500_000n, 64);
    world.network.setAccount(second as Address, { ...account, data });
    world.network.tick();
    await page.reload();
    await card.getByText('12.50 USDC').waitFor();
    await card.getByRole('button', { name: 'Move all to account 1' }).click();
    await sign.click();
    await page.getByText('Tokens moved to account 1.').waitFor();
    expect(await card.getByRole('row').filter({ hasText: '12.50 USDC' }).textContent()).toMatch(/^1/);

    await card.getByLabel('Payments are divided among').selectOption('1 account');
    await card.getByRole('button', { name: 'Save' }).click();
    await card.getByText('Not used any more').first().waitFor();
    expect(await states().allTextContents()).toEqual(['In use', ...Array(5).fill('Not used any more')]);
    expect(pageProblems).toEqual([]);
  });

  it('uploads a logo of any format as a small PNG, shows it, and removes it', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/settings'));
    const choose = (name: string, mimeType: string, content: string) =>
      page.getByLabel('Logo').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
    await choose('logo.png', 'image/png', 'not a picture');
    await page.getByText('This browser cannot show this file').waitFor();
    const circle = '<circle cx="5" cy="5" r="5"/><script>alert(1)</script>';
    await choose(
      'logo.svg',
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">${circle}</svg>`,
    );
    const logo = page.getByRole('img', { name: 'Your logo' });
    await logo.waitFor();
    expect(await logo.getAttribute('src')).toMatch(/\/logos\/[0-9a-f]{64}\.png$/);
    const { png } = await world.db.merchantLogo.findFirstOrThrow();
    expect(Buffer.from(png).includes('script')).toBe(false);
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await logo.waitFor({ state: 'detached' });
    expect(await world.db.merchantLogo.count()).toBe(0);
    expect(pageProblems).toEqual([]);
  });

  it('lists the member sessions, ends another one, and signs out everywhere', async () => {
    const wallet = await newMember('DEVELOPER');
    const other = await world.signIn(wallet);
    const { page } = await world.signIn(wallet);
    await page.goto(world.urlOf('/settings'));
    const rows = page.getByRole('table', { name: 'Where you are signed in' }).getByRole('row');
    await rows.nth(2).waitFor();
    expect(await rows.count()).toBe(3);
    await rows.getByRole('button', { name: /Sign out of/ }).click();
    await page.getByText('Browser signed out.').waitFor();
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByLabel('Company name').isDisabled()).toBe(true);
    await page.getByRole('main').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  it('keeps the chosen theme and time zone in the browser', async () => {
    const { page } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/settings'));
    await page.getByRole('main').getByLabel('Theme').selectOption('dark');
    await page.getByRole('main').getByLabel('Time zone').selectOption('UTC');
    await page.reload();
    await page.getByRole('main').getByLabel('Theme').waitFor();
    expect(await page.getByRole('main').getByLabel('Theme').inputValue()).toBe('dark');
    expect(await page.getByRole('main').getByLabel('Time zone').inputValue()).toBe('UTC');
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
  });

  it('invites, names and promotes a member, removes one, and keeps the last owner', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/team'));
    const invited = await world.newWallet();
    const short = `${invited.address.slice(0, 6)}…${invited.address.slice(-4)}`;
    await page.getByRole('button', { name: 'Invite member' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Wallet address').fill('not-a-wallet');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(/walletAddress must/).waitFor();
    await dialog.getByLabel('Wallet address').fill(invited.address);
    await dialog.getByRole('radio', { name: /Read-only/ }).check();
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: `Edit ${short}` }).click();
    await dialog.getByLabel('Name').fill('Grace');
    await dialog.getByRole('radio', { name: /Developer/ }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const grace = page.getByRole('row', { name: /Grace/ });
    await grace.getByText('Developer').waitFor();
    // The only owner cannot be removed.
    const self = page.getByRole('row', { name: /You/ });
    const remove = self.getByRole('button', { name: /Remove/ });
    expect(await remove.isDisabled()).toBe(true);
    expect(await remove.getAttribute('title')).toContain('last owner');
    await page.getByRole('button', { name: 'Remove Grace' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await grace.waitFor({ state: 'detached' });
    expect(pageProblems).toEqual([]);
  });

  it('shows in the audit log who changed what, before and after, and filters it', async () => {
    const { address } = await newMember('READ_ONLY');
    const { id } = await world.db.member.findFirstOrThrow({ where: { walletAddress: address } });
    await changeMemberRole(world.ctx, { merchantId: merchant.merchant.id }, { id, role: 'DEVELOPER' });
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/audit'));
    await page.getByLabel('Action').selectOption({ label: 'Role changed' });
    const row = page.getByRole('row', { name: /Role changed/ }).first();
    await row.waitFor();
    expect(await row.textContent()).toMatch(/READ_ONLY.*→.*DEVELOPER/);
    expect(new URL(page.url()).search).toBe('?action=member.role_changed');
    await page.getByLabel('Action').selectOption({ label: 'Signed in' });
    const signIn = page.getByRole('row', { name: /Signed in/ }).first();
    await signIn.getByText('Request').click();
    await signIn.getByText('IP address').waitFor();
    await page.getByLabel('From').fill('2031-01-01');
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByLabel('From').fill('');
    await signIn.waitFor();
    await saveAndOpenView(page, 'Sign-ins');
    await signIn.waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('says after a restore what may be lost, until a member has checked', async () => {
    const timeline = { environment: 'TEST', number: 2, identity: 'unknown' } as const;
    const lostUntil = new Date('2026-12-01T09:32:00Z');
    const reader = await world.signIn(await newMember('READ_ONLY'));
    const owner = await world.signIn(merchant.wallet);
    const banner = ({ page }: Member) => page.getByRole('region', { name: 'The database was restored' });
    const button = (member: Member) => banner(member).getByRole('button', { name: 'We have checked' });
    expect(await banner(owner).count()).toBe(0);
    await world.db.databaseTimeline.create({
      data: { ...timeline, lostFrom: new Date('2026-12-01T09:30:00Z'), lostUntil },
    });
    // The open pages show it after the event.
    await recordEvent(world.db, {
      merchantId: merchant.merchant.id,
      environment: 'TEST',
      type: 'service.restored',
      data: { lostFrom: '2026-12-01T09:30:00.000Z', lostUntil: lostUntil.toISOString() },
      at: world.ctx.clock.now(),
    });
    await world.relay();
    await banner(owner).getByText('Nobody is charged until the chain has been read.').waitFor();
    await banner(reader).waitFor();
    expect(await button(reader).isDisabled()).toBe(true);

    await world.db.databaseTimeline.updateMany({ data: { readAt: lostUntil } });
    await owner.page.reload();
    await banner(owner).getByText('Charges are not lost').waitFor();
    expect(await world.axeFindings(owner)).toEqual([]);
    expect(await findBrokenWords(owner.page, [390, 720, 1440])).toEqual([]);
    await takeScreenshots(owner, 'restored');
    await banner(owner).getByRole('link', { name: 'Events that are left of this time' }).click();
    await owner.page.waitForURL(world.urlOf('/events?from=2026-12-01&to=2026-12-01'));
    await button(owner).click();
    await owner.page.getByText('The notice is closed for the whole team.').waitFor();
    await banner(owner).waitFor({ state: 'detached' });
    await reader.page.reload();
    await reader.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    expect(await banner(reader).count()).toBe(0);
    expect([...owner.pageProblems, ...reader.pageProblems]).toEqual([]);
  });

  it('shows the state of the collectors, and what to do', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await page.goto(world.urlOf('/health'));
    await page.getByText('1.5 SOL').waitFor();
    await page.getByText('Enough', { exact: true }).waitFor();
    world.fund(world.chain.collector.address, 0n);
    // The API caches the answer for some seconds.
    await vi.waitFor(async () => {
      await page.reload();
      await page.getByText('Something is not working').waitFor({ timeout: 2_000 });
      await page.getByText('0 SOL').waitFor({ timeout: 2_000 });
    }, 30_000);
    expect(await page.getByText('send SOL to this address').count()).toBeGreaterThan(0);
    expect(pageProblems).toEqual([]);
  });

  it('finds a customer and a subscription with the keyboard', async () => {
    const { page, pageProblems } = await world.signIn(merchant.wallet);
    await searchFor(page, 'ada@ex');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Customer ada@example.com/ })
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'ada@example.com', level: 1 }).waitFor();
    const { id } = await world.db.subscription.findFirstOrThrow();
    await searchFor(page, id);
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Subscription/ })
      .waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(world.urlOf(`/subscriptions/${id}`));
    await page.getByRole('heading', { level: 1, name: /ada@example.com/ }).waitFor();
    await searchFor(page, 'zzzz');
    await page.getByText(/^No results/).waitFor();
    expect(pageProblems).toEqual([]);
  });

  it('runs actions from the command menu by keyboard alone, and gives the focus back', async () => {
    const member = await world.signIn(merchant.wallet);
    const { page, pageProblems } = member;
    const menu = page.getByRole('dialog', { name: 'Search and actions' });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.goto(world.urlOf('/subscriptions'));
    await page.getByRole('row', { name: /ada@example.com/ }).waitFor();
    await page.keyboard.press('j');
    const row = await focused();
    expect(row).toContain('ada@example.com');
    await page.keyboard.press('ControlOrMeta+K');
    await menu.getByRole('button', { name: 'Create plan' }).waitFor();
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await focused()).toBe(row);

    // It also opens in a text field, which keeps its text. Typing goes on after an arrow key.
    const field = page.getByLabel('Customer, wallet or address');
    await field.fill('ada');
    await field.press('ControlOrMeta+K');
    await menu.waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('dark');
    const dark = () => page.evaluate(() => document.documentElement.dataset.theme);
    await page.keyboard.press('Enter');
    await menu.waitFor({ state: 'detached' });
    await expect.poll(dark, SOON).toBe('dark');
    expect(await field.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await field.inputValue()).toBe('ada');

    for (const [typed, opened] of [
      ['payment link', 'Create payment link'],
      ['endpoint', 'Add endpoint'],
      ['api key', 'Create TEST key'],
      ['invite', 'Invite member'],
    ] as const) {
      await page.keyboard.press('ControlOrMeta+K');
      await menu.waitFor();
      await page.keyboard.type(typed);
      if (typed === 'payment link') await page.keyboard.press('ArrowDown');
      if (typed === 'payment link') await page.keyboard.press('ArrowDown');
      if (typed === 'api key') await page.keyboard.press('ArrowDown');
      if (typed === 'api key') await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: opened });
      await dialog.waitFor();
      await expect.poll(() => dialog.evaluate((it) => it.contains(document.activeElement)), SOON).toBe(true);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    // A reload does not open the dialog again.
    await page.reload();
    await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await page.getByRole('row', { name: /Owner/ }).first().waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);

    await page.keyboard.press('ControlOrMeta+K');
    await menu.waitFor();
    await page.keyboard.type('create plan');
    await page.keyboard.press('Enter');
    await page.waitForURL(world.urlOf('/plans/new'));
    await page.keyboard.press('ControlOrMeta+K');
    await menu.waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'command-menu');
    await page.keyboard.type('live');
    await page.keyboard.press('Enter');
    await page.waitForURL(world.urlOf('/plans', 'live'));
    expect(pageProblems).toEqual([]);
  });

  it('offers each role only the actions that it may do', async () => {
    const changes = {
      READ_ONLY: [],
      DEVELOPER: [
        ...['Create plan', 'Create payment link', 'Create discount'],
        ...['Add webhook endpoint', 'Create API key'],
      ],
    };
    for (const [role, allowed] of Object.entries(changes)) {
      const { page } = await world.signIn(await newMember(role as MemberRole));
      await page.keyboard.press('ControlOrMeta+K');
      const menu = page.getByRole('dialog', { name: 'Search and actions' });
      await menu.getByRole('button', { name: 'Switch to LIVE' }).waitFor();
      const names = await menu.getByRole('button', { name: /^(Create|Add|Invite)/ }).allTextContents();
      expect(names).toEqual(allowed);
    }
  });

  it('shows nothing to other merchants, and only reading to read-only members', async () => {
    const stranger = await world.signIn((await world.newMerchant()).wallet);
    await searchFor(stranger.page, 'ada@example.com');
    await stranger.page.getByText(/^No results/).waitFor();
    await stranger.page.goto(world.urlOf('/audit?action=member.role_changed'));
    await stranger.page.getByText('Nothing matches these filters').waitFor();

    const { page } = await world.signIn(await newMember('READ_ONLY'));
    await page.goto(world.urlOf('/settings'));
    await page.getByText('Only owners can do this.').waitFor();
    const saves = await page.getByRole('button', { name: 'Save' }).all();
    expect(saves.length).toBeGreaterThan(0);
    for (const save of saves) expect(await save.isDisabled()).toBe(true);
    await page.goto(world.urlOf('/team'));
    await page.getByText('Only owners can invite').waitFor();
    expect(await page.getByRole('button', { name: 'Invite member' }).isDisabled()).toBe(true);
    await page
      .getByRole('button', { name: /^Remove/ })
      .first()
      .waitFor();
    const removals = await page.getByRole('button', { name: /^Remove/ }).all();
    expect(removals.length).toBeGreaterThan(0);
    for (const removal of removals) expect(await removal.isDisabled()).toBe(true);
  });

  it.each([
    ['settings', 'Where you are signed in'],
    ['team', 'What each role can do'],
    ['audit', 'Signed in'],
    ['health', 'What the states mean'],
  ])('axe finds nothing on %s, light on desktops and dark on phones', async (name, text) => {
    const member = await world.signIn(merchant.wallet);
    expect(await world.faultsOf(member, `/${name}`, text, name)).toEqual([]);
  });

  it('creates a merchant at the sign-in if sign-up is open', async () => {
    Object.assign(world.ctx.config, { signUp: 'open' });
    const wallet = await world.newWallet();
    const member = await world.newMember(wallet);
    const { page, pageProblems } = member;
    await page.goto(world.urlOf('/'));
    await page.getByRole('button', { name: MEMBER_WALLET }).click();
    await page.getByRole('heading', { name: 'Create your merchant' }).waitFor();
    expect(await world.axeFindings(member)).toEqual([]);
    await takeScreenshots(member, 'sign-up');
    await page.getByLabel('Company name').fill('Newcomer Ltd');
    await page.getByRole('button', { name: 'Create merchant' }).click();
    await page.waitForURL(world.urlOf('/onboarding'));
    const created = await world.db.merchant.findUniqueOrThrow({ where: { walletAddress: wallet.address } });
    expect(created.companyName).toBe('Newcomer Ltd');
    expect(pageProblems).toEqual([]);
  });
});
