import type { CheckoutErrorData } from '../../../src/api/pages/page-data.ts';
import { buttonClass } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { checkoutError as text } from '../../shared/text/checkout-error.ts';
import type { PageView } from '../shared/document.tsx';
import { Frame, Heading } from '../shared/frame.tsx';

/** Shown instead of a checkout or a payment link. */
export const checkoutError: PageView<CheckoutErrorData> = {
  title: () => text.documentTitle,
  Content: ({ problem, retryPath }) => (
    <Frame>
      <Card>
        <Heading hint={text.problems[problem].hint}>{text.problems[problem].title}</Heading>
        {retryPath !== null && (
          <a href={retryPath} className={buttonClass('primary', 'mt-4 min-h-11 w-full')}>
            {text.retry}
          </a>
        )}
      </Card>
    </Frame>
  ),
};
