import { dialogStyle } from './dialog-style.ts';

/** The person at the browser said no, or closed the dialog. */
export class Rejected extends Error {
  override name = 'Rejected';

  constructor() {
    super('The request was rejected.');
  }
}

const TEST_MONEY = 'Test money: this wallet works on the local network only. Keys are kept in the browser.';

let last: Promise<unknown> = Promise.resolve();

/**
 * Shows a modal dialog, one at a time, until `fill` calls `done`. The dialog is in a shadow root, so
 * that the page's styles and its content security policy do not apply to it.
 *
 * @throws Rejected
 */
export function showDialog<Answer>(
  title: string,
  fill: (done: (answer: Answer) => void) => readonly Node[],
): Promise<Answer> {
  const shown = last.then(() => show(title, fill));
  last = shown.catch(() => undefined);
  return shown;
}

function show<Answer>(
  title: string,
  fill: (done: (answer: Answer) => void) => readonly Node[],
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const host = document.createElement('div');
    const root = host.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [dialogStyle()];
    const heading = element('h2', { id: 'title', textContent: title });
    const dialog = element('dialog', {});
    dialog.setAttribute('aria-labelledby', heading.id);
    const done = (answer: Answer) => {
      resolve(answer);
      dialog.close();
    };
    // Also after Escape. After `done` the rejection changes nothing.
    dialog.addEventListener('close', () => {
      host.remove();
      reject(new Rejected());
    });
    dialog.append(heading, element('p', { className: 'test', textContent: TEST_MONEY }), ...fill(done));
    root.append(dialog);
    document.body.append(host);
    dialog.showModal();
  });
}

export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]>,
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

/** A button that is disabled while its work runs; an error is shown beside it. */
export function button(
  text: string,
  work: () => unknown,
  properties: Partial<HTMLButtonElement> = {},
): HTMLButtonElement {
  const made = element('button', { type: 'button', textContent: text, ...properties });
  made.addEventListener('click', async () => {
    made.disabled = true;
    try {
      await work();
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      const problem = element('p', { className: 'problem', role: 'alert', textContent: words });
      made.parentElement?.after(problem);
    } finally {
      made.disabled = false;
    }
  });
  return made;
}

/** Closes the dialog that it is in. */
export function rejectButton(): HTMLButtonElement {
  const made: HTMLButtonElement = button('Reject', () => made.closest('dialog')?.close());
  return made;
}
