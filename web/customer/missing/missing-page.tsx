import { missing as text } from '../../shared/text/missing.ts';
import type { PageView } from '../shared/document.tsx';
import { Frame, Heading } from '../shared/frame.tsx';

/** Says that the address leads nowhere, and what to open instead. */
export const missing: PageView<object> = {
  title: () => text.documentTitle,
  Content: () => (
    <Frame>
      <Heading>{text.title}</Heading>
      <p className="text-soft">
        {text.toPortal}{' '}
        <a href="/portal" className="underline">
          {text.portal}
        </a>
        . {text.toDashboard}{' '}
        <a href="/dashboard" className="underline">
          {text.dashboard}
        </a>
        .
      </p>
    </Frame>
  ),
};
