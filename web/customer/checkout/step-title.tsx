import { useLayoutEffect, useRef } from 'react';

interface StepTitleProps {
  /** Whether its step is shown. */
  readonly isShown?: boolean;
  /** Whether the page opens with its step. */
  readonly isFirst?: boolean;
  readonly children: string;
}

/** The title of a step. It gets the focus when the step appears, so that screen readers announce it. */
export function StepTitle({ isShown = true, isFirst = false, children }: StepTitleProps) {
  const title = useRef<HTMLHeadingElement>(null);
  const isOpening = useRef(isFirst);
  useLayoutEffect(() => {
    if (isShown && !isOpening.current) title.current?.focus({ preventScroll: true });
    isOpening.current = false;
  }, [isShown]);
  return (
    <h2 ref={title} tabIndex={-1} className="font-semibold outline-none">
      {children}
    </h2>
  );
}
