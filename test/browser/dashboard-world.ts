/** The API with the built dashboard, and browsers whose members have a wallet. */
import type { KeyPairSigner } from '@solana/kit';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { relayEvents } from '../../src/domain/messages/relay/relay-events.ts';
import { axeFindings } from '../../tools/axe.ts';
import { findBrokenWords } from '../../tools/broken-words.ts';
import { startChromium } from '../../tools/chromium.ts';
import { startApiWorld } from '../api/world.ts';
import { injectMemberWallet, MEMBER_WALLET } from './member-wallet.ts';
import { watchPage } from './watch-page.ts';

export type DashboardWorld = Awaited<ReturnType<typeof startDashboardWorld>>;

export interface Member {
  readonly page: Page;
  /** Violations of the content security policy, errors of scripts, and requests to other sites. */
  readonly pageProblems: string[];
}

interface MemberOptions extends BrowserContextOptions {
  readonly approve?: (transaction: string) => Promise<string>;
}

const THEMES = ['light', 'dark'] as const;
const WIDTHS = [320, 1440] as const;

/** Two of the four combinations of themes and widths, because each takes seconds. */
const LOOKS = [
  { colorScheme: 'light', width: WIDTHS[1] },
  { colorScheme: 'dark', width: WIDTHS[0] },
] as const;

/** Widths at which no word may continue on another line: a phone, a tablet, a desktop. */
const WORD_WIDTHS = [390, 720, 1440];

/** The folder for screenshots; undefined for none. */
const SHOTS = process.env.DASHBOARD_SCREENSHOTS;

/** Saves pictures of the page in both themes, if a folder for them is set. */
export async function takeScreenshots(
  { page }: Pick<Member, 'page'>,
  name: string,
  widths: readonly number[] = WIDTHS,
): Promise<void> {
  if (!SHOTS) return;
  const before = page.viewportSize();
  for (const colorScheme of THEMES) {
    for (const width of widths) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: `${SHOTS}/${name}-${colorScheme}-${width}.png`, fullPage: true });
    }
  }
  if (before) await page.setViewportSize(before);
}

/** Saves the filters of a list under a name, and opens the list again by that name. */
export async function saveAndOpenView(page: Page, name: string): Promise<void> {
  const filtered = page.url();
  await page.getByRole('button', { name: /^Views/ }).click();
  await page.getByLabel('Save these filters as').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.goto(filtered.replace(/\?.*/, ''));
  await page.getByRole('button', { name: /^Views/ }).click();
  await page.getByRole('button', { name, exact: true }).click();
  await page.waitForURL(filtered);
}

export async function startDashboardWorld(chromium: string) {
  const world = await startApiWorld();
  // The page's origin must be the service's: cookies and sign-in messages name it.
  Object.assign(world.ctx.config, { publicUrl: world.api.url });
  const browser = await startChromium(chromium);

  /**
   * Creates a browser with a wallet, and does not sign in.
   *
   * @param options.approve the owner's answer to a transaction; by default, signs and sends it
   */
  async function newMember(
    wallet: KeyPairSigner,
    { approve = (transaction) => world.sign(wallet, transaction), ...options }: MemberOptions = {},
  ): Promise<Member> {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce',
      permissions: ['clipboard-write'],
      ...options,
    });
    // The browser uses the day of the network, which starts in December.
    await context.clock.setFixedTime(world.ctx.clock.now());
    await injectMemberWallet(context, wallet, approve);
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    return { page, pageProblems: watchPage(page, [world.api.url]) };
  }

  return {
    ...world,
    newMember,
    /** Relays recorded events, as the worker does. */
    relay: () => relayEvents(world.ctx),
    /** Creates a browser, and signs its member in on the page. */
    async signIn(wallet: KeyPairSigner, options: MemberOptions = {}): Promise<Member> {
      const member = await newMember(wallet, options);
      await member.page.goto(`${world.api.url}/dashboard/test/`);
      await member.page.getByRole('button', { name: MEMBER_WALLET }).click();
      await member.page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
      return member;
    },
    urlOf: (path: string, environment = 'test') => `${world.api.url}/dashboard/${environment}${path}`,
    /** Opens a page that shows the text, and returns its problems, broken words and axe's findings. */
    async faultsOf(member: Member, path: string, text: string, name: string) {
      const { page, pageProblems } = member;
      await page.goto(`${world.api.url}/dashboard/test${path}`);
      await page.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor();
      await page.waitForLoadState('networkidle');
      const found = await axeFindings(page, LOOKS);
      await takeScreenshots(member, name);
      return [...found, ...(await findBrokenWords(page, WORD_WIDTHS)), ...pageProblems];
    },
    /** Returns the findings of axe on the page, light at desktop width and dark at phone width. */
    axeFindings: ({ page }: Member) => axeFindings(page, LOOKS),
    close: async () => {
      await browser.close();
      await world.close();
    },
  };
}
