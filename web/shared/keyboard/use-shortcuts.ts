import { useEffect, useRef } from 'react';

/** Maximum time between the two keys of a sequence. */
const SEQUENCE_MS = 1_200;

/**
 * Runs actions by key or sequence: `{ '?': help, 'g p': toPlans }`. Keys in text fields are ignored,
 * but not `mod k`: Control or Command with that key. Nothing runs while a dialog is open.
 */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    let first: { readonly key: string; readonly at: number } | undefined;
    const press = (event: KeyboardEvent) => {
      if (event.altKey || event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey) {
        const action = event.shiftKey ? undefined : latest.current[`mod ${event.key.toLowerCase()}`];
        if (!action) return;
        // Otherwise the browser's own shortcut would run, also in a dialog.
        event.preventDefault();
        if (!document.querySelector('dialog[open]')) action();
        return;
      }
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
