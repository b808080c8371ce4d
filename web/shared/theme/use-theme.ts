import { useSyncExternalStore } from 'react';

const KEY = 'dues.theme';

export type Theme = 'light' | 'dark' | 'system';

const listeners = new Set<() => void>();

function storedTheme(): Theme {
  const stored = localStorage.getItem(KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

/** Applies the chosen theme; `system` follows the device. Called before the first paint. */
export function applyTheme(theme: Theme = storedTheme()): void {
  const { dataset } = document.documentElement;
  if (theme === 'system') delete dataset.theme;
  else dataset.theme = theme;
}

/** The theme of this browser, shared by all controls that change it. */
export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribe, storedTheme), chooseTheme];
}

function chooseTheme(chosen: Theme): void {
  if (chosen === 'system') localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, chosen);
  applyTheme(chosen);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
