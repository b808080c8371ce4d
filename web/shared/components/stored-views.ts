/** Named filters of a list. */
export interface SavedView {
  readonly name: string;
  readonly search: Readonly<Record<string, unknown>>;
}

/** Maximum views per list; the oldest are dropped first. */
const MAX_VIEWS = 20;

/** Reads the stored views. Invalid ones, for example of another release, are left out. */
export function readViews(key: string): readonly SavedView[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView) : [];
  } catch {
    return [];
  }
}

/** Stores views, and returns those that were kept. */
export function writeViews(key: string, views: readonly SavedView[]): readonly SavedView[] {
  const kept = views.slice(-MAX_VIEWS);
  localStorage.setItem(key, JSON.stringify(kept));
  return kept;
}

function isView(value: unknown): value is SavedView {
  const { name, search } = (value ?? {}) as Partial<SavedView>;
  return typeof name === 'string' && typeof search === 'object' && search !== null;
}
