/**
 * Moves the focus to the link of the next (`j`) or previous (`k`) row of the page's first table.
 */
export function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main tbody tr')];
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>('a, button') ?? []);
  const current = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement));
  const next = current < 0 ? (step > 0 ? 0 : links.length - 1) : current + step;
  links[next]?.focus();
}
