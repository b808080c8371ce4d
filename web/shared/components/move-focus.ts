import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** A key handler that moves the focus in a group of elements by arrow keys, Home and End. */
export function moveFocus(selector: string) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
    const current = items.indexOf(event.target as HTMLElement);
    const step = STEPS[event.key];
    const target =
      event.key === 'Home'
        ? items[0]
        : event.key === 'End'
          ? items.at(-1)
          : step && items[(current + step + items.length) % items.length];
    if (!target) return;
    event.preventDefault();
    target.focus();
  };
}
