import type { Locator, Page } from 'playwright-core';

/** The input of a user of the pages, by mouse or by keyboard. */
export interface UserInput {
  /** The number of clicks so far. By keyboard: the number of buttons, links and fields used. */
  readonly uses: number;
  /** Uses a button or a link. */
  press(target: Locator): Promise<void>;
  /** Writes into a field. */
  write(target: Locator, text: string): Promise<void>;
}

/** Creates an input that clicks on everything. */
export function createMouse(): UserInput {
  let uses = 0;
  return {
    get uses() {
      return uses;
    },
    async press(target) {
      uses += 1;
      await target.click();
    },
    async write(target, text) {
      await target.waitFor();
      // A dialog may have put the focus into its first field.
      if (!(await target.evaluate(hasFocus))) {
        uses += 1;
        await target.click();
      }
      await target.page().keyboard.type(text);
    },
  };
}

/** More elements than the Tab key reaches on any page. */
const MAX_TABS = 300;

/** Creates an input that reaches everything with the Tab key, and activates it with Enter. */
export function createKeyboard(): UserInput {
  let uses = 0;
  return {
    get uses() {
      return uses;
    },
    async press(target) {
      uses += 1;
      await tabTo(target);
      await target.page().keyboard.press('Enter');
    },
    async write(target, text) {
      uses += 1;
      await tabTo(target);
      await target.page().keyboard.type(text);
    },
  };
}

/** Presses Tab until the element has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const page: Page = target.page();
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if (await target.evaluate(hasFocus)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The Tab key never reaches ${target}`);
}

/** Runs in the page. A dialog of the wallet has a separate focus, in its shadow root. */
function hasFocus(element: unknown): boolean {
  const root = (element as { getRootNode(): { activeElement: unknown } }).getRootNode();
  return root.activeElement === element;
}
