let isFirst = true;

/**
 * Shows the title of a page in its tab. Screen readers read out the first one themselves; they read
 * a later one from `#page-title`, which each HTML file has.
 */
export function showTitle(title: string): void {
  const status = document.getElementById('page-title');
  if (status && !isFirst && title !== document.title) status.textContent = title;
  document.title = title;
  isFirst = false;
}
