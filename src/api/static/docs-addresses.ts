// The addresses of pages and headings, which are the same on the plain pages and on the built site.

/** The path below `/docs/` of a page's file: `guides/going-live`; empty for `README.md`. */
export function slugOf(file: string): string {
  return file
    .replace(/\.md$/, '')
    .toLowerCase()
    .replace(/(^|\/)readme$/, '');
}

/**
 * Creates a function that returns the anchor of each next heading of a page, as GitHub generates it:
 * a second heading with the same text gets a number.
 */
export function createAnchors(): (heading: string) => string {
  const taken = new Set<string>();
  return (heading) => {
    const anchor = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let count = 1; taken.has(unique); count += 1) unique = `${anchor}-${count}`;
    taken.add(unique);
    return unique;
  };
}
