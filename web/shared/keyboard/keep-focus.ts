/**
 * Moves the focus to the opened dialog, or to the content of the page, without scrolling. A dialog
 * in which something has the focus keeps it.
 */
export function focusContent(): void {
  const dialog = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1);
  const content = dialog ?? document.querySelector('main');
  if (!content || dialog?.contains(document.activeElement)) return;
  content.tabIndex = -1;
  content.focus({ preventScroll: true });
}

/**
 * Focuses the content when the focused element is removed, so that the keyboard and screen readers
 * do not start again at the top of the page.
 */
export function keepFocus(): void {
  let focused: EventTarget | null = null;
  addEventListener('focusin', ({ target }) => {
    focused = target;
  });
  addEventListener('focusout', ({ target }) => {
    // A click on an empty part of the page also takes the focus; then the element is still there.
    setTimeout(() => {
      if (focused === target && (target as Node).isConnected && document.activeElement !== target)
        focused = null;
    });
  });
  new MutationObserver(() => {
    if (!(focused instanceof Node) || focused.isConnected) return;
    focused = null;
    if (document.activeElement === document.body) focusContent();
  }).observe(document.body, { childList: true, subtree: true });
}
