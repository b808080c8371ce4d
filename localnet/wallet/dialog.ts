import { dialogStyle } from './dialog-style.ts';

/** The person at the browser clicked "Reject" or closed the dialog. */
export class Rejected extends Error {
  override name = 'Rejected';

  constructor() {
    super('The request was rejected.');
  }
}

const TEST_MONEY = 'Test money: this wallet works on the local network only. Keys are kept in the browser.';

let lastDialog: Promise<unknown> = Promise.resolve();

/**
 * Shows a modal dialog, one at a time, until the nodes of `fill` call `done` with the answer. The
 * dialog is in a shadow root, so that the page's styles do not apply to it.
 *
 * @throws Rejected
 */
export function showDialog<Answer>(
  title: string,
  fill: (done: (answer: Answer) => void) => readonly Node[],
): Promise<Answer> {
  const shown = lastDialog.then(() => show(title, fill));
  lastDialog = shown.catch(() => undefined);
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
    // Escape causes this event, too. After `done` the rejection has no effect.
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
  const created = Object.assign(document.createElement(tag), properties);
  created.append(...children);
  return created;
}

/** A button that is disabled while its work runs. An error is shown below its row. */
export function button(
  text: string,
  work: () => unknown,
  properties: Partial<HTMLButtonElement> = {},
): HTMLButtonElement {
  const created = element('button', { type: 'button', textContent: text, ...properties });
  created.addEventListener('click', async () => {
    created.disabled = true;
    try {
      await work();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const problem = element('p', { className: 'problem', role: 'alert', textContent: message });
      created.parentElement?.after(problem);
    } finally {
      created.disabled = false;
    }
  });
  return created;
}

/** A button that closes its dialog. */
export function rejectButton(): HTMLButtonElement {
  const created: HTMLButtonElement = button('Reject', () => created.closest('dialog')?.close());
  return created;
}
