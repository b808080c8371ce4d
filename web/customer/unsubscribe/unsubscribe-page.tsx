import type { UnsubscribeData } from '../../../src/api/pages/page-data.ts';
import { Button } from '../../shared/components/button.tsx';
import { unsubscribe as text } from '../../shared/text/unsubscribe.ts';
import type { PageView } from '../shared/document.tsx';
import { Frame, Heading } from '../shared/frame.tsx';

/** The page of the link in reminders. Its button ends them; opening the page does not. */
export const unsubscribe: PageView<UnsubscribeData> = {
  title: () => text.documentTitle,
  hasForm: true,
  Content: ({ reminders }) => (
    <Frame>
      {reminders === null && <Heading hint={text.unknown.hint}>{text.unknown.title}</Heading>}
      {reminders?.isOff && <Heading hint={text.done.hint(reminders.company)}>{text.done.title}</Heading>}
      {reminders?.isOff === false && (
        <>
          <Heading hint={text.question.hint(reminders.company)}>{text.question.title}</Heading>
          <form method="post">
            <Button type="submit" kind="primary" className="min-h-11 px-4">
              {text.question.confirm}
            </Button>
          </form>
        </>
      )}
    </Frame>
  ),
};
