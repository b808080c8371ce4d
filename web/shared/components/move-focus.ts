import type { KeyboardEvent } from 'react';

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/** Moves the focus among the elements of a group by arrow keys, Home and End. */
export function moveFocus(selector: string) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)];
    const at = items.indexOf(event.target as HTMLElement);
    const step = STEPS[event.key];
    const to =
      event.key === 'Home'
        ? items[0]
        : event.key === 'End'
          ? items.at(-1)
          : step && items[(at + step + items.length) % items.length];
    if (!to) return;
    event.preventDefault();
    to.focus();
  };
}
