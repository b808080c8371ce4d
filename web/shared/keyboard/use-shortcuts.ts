import { useEffect, useRef } from 'react';

/** Maximum time between the two keys of a sequence. */
const SEQUENCE_MS = 1_200;

/**
 * Runs actions by key or sequence: `{ '?': help, 'g p': toPlans }`. Keys in text fields are
 * ignored.
 */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || document.querySelector('dialog[open]')) return;
      const isSecond = first && event.timeStamp - first.at < SEQUENCE_MS;
      const sequence = isSecond ? latest.current[`${first?.key} ${event.key}`] : undefined;
      const action = sequence ?? latest.current[event.key];
      first = sequence ? undefined : { key: event.key, at: event.timeStamp };
      if (!action) return;
      event.preventDefault();
      action();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'range' && target.type !== 'checkbox';
  return (
    target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
  );
}
