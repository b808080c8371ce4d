import { type ComponentProps, useLayoutEffect, useRef } from 'react';

/**
 * The attributes of a `<dialog>` that is modal while it is rendered. The browser keeps the focus in
 * it. Escape and a click outside call `onClose`. When it is removed, the element that had the focus
 * before gets it back.
 */
export function useModal(onClose: () => void): ComponentProps<'dialog'> {
  const dialog = useRef<HTMLDialogElement>(null);
  const isPressedOutside = useRef(false);
  // A passive effect would run after the removal: the browser would not give the focus back.
  useLayoutEffect(() => {
    const opened = dialog.current;
    if (!opened?.open) opened?.showModal();
    return () => opened?.close();
  }, []);
  return {
    ref: dialog,
    onCancel: (event) => {
      event.preventDefault();
      onClose();
    },
    onKeyDown: (event) => {
      // Chromium closes a dialog at the second Escape even if `onCancel` prevented the first.
      if (event.key !== 'Escape') return;
      event.preventDefault();
      // A dialog that contains this one stays open.
      event.stopPropagation();
      onClose();
    },
    onMouseDown: ({ target }) => {
      isPressedOutside.current = target === dialog.current;
    },
    onClick: ({ target }) => {
      // A click that begins inside, such as a selection of text, can end outside.
      if (isPressedOutside.current && target === dialog.current) onClose();
    },
  };
}
