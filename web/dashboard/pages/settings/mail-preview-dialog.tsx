import { useQuery } from '@tanstack/react-query';
import type { MailTemplate } from '../../../generated/graphql.ts';
import { environment } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { ErrorPanel } from '../../../shared/components/error-panel.tsx';
import { SkeletonRows } from '../../../shared/components/skeleton.tsx';
import { mails as text } from '../../../shared/text/mails.ts';

const PREVIEW = graphql(/* GraphQL */ `
  query MailPreview($template: MailTemplate!) {
    mailPreview(template: $template) {
      subject
      text
    }
  }
`);

/** A preview of a mail. The HTML is a separate page in a frame, because its styles are inline. */
export function MailPreviewDialog({
  template,
  onClose,
}: {
  readonly template: MailTemplate;
  readonly onClose: () => void;
}) {
  const { data, error, refetch } = useQuery(askOptions(PREVIEW, { template }));
  return (
    <Dialog
      title={text.previewOf(text.names[template])}
      description={text.previewHint}
      onClose={onClose}
      wide
    >
      {error && !data ? (
        <ErrorPanel error={error} onRetry={refetch} />
      ) : !data ? (
        <SkeletonRows />
      ) : (
        <div className="grid gap-3">
          <p className="font-medium">{data.mailPreview.subject}</p>
          <iframe
            src={`/mail/preview/${template}?environment=${environment}`}
            title={data.mailPreview.subject}
            sandbox=""
            className="h-96 w-full rounded-md border border-line bg-surface"
          />
          <details>
            <summary>{text.asText}</summary>
            <pre className="mt-2 overflow-auto whitespace-pre-wrap text-xs">{data.mailPreview.text}</pre>
          </details>
        </div>
      )}
    </Dialog>
  );
}
