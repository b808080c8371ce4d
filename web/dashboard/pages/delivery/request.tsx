import { Card } from '../../../shared/components/card.tsx';
import { CopyTextButton } from '../../../shared/components/copy-button.tsx';
import { JsonView } from '../../../shared/components/json-view.tsx';
import { delivery as text } from '../../../shared/text/webhooks.ts';
import { type DeliveryAttempt, type DeliveryDetail, isRunning } from './attempts.tsx';
import { curlOf } from './curl.ts';

interface RequestProps {
  readonly delivery: DeliveryDetail;
  readonly attempt: DeliveryAttempt | undefined;
}

function hintOf(attempt: DeliveryAttempt | undefined): string {
  if (!attempt?.requestHeaders) return text.bodyHint;
  return (attempt.statusCode === null ? text.unansweredHint : text.requestHint)(attempt.number);
}

/** The request of an attempt as it was sent, and the command that repeats it. */
export function Request({ delivery: { body, endpoint }, attempt }: RequestProps) {
  const headers = attempt?.requestHeaders;
  return (
    <Card
      title={text.request}
      description={hintOf(attempt)}
      actions={
        headers && (
          // dues signs and sends the body without white space.
          <CopyTextButton text={curlOf({ url: endpoint.url, headers, body: JSON.stringify(body) })}>
            {text.copyAsCurl}
          </CopyTextButton>
        )
      }
    >
      <p className="mb-3 wrap-anywhere">
        {text.urlNow} <code className="font-mono text-[0.8125rem]">{endpoint.url}</code>
      </p>
      <h3 className="mb-1 font-medium">{text.headers}</h3>
      {headers ? (
        <dl className="mb-2 grid gap-1 rounded-md border border-line p-3 font-mono text-[0.8125rem] leading-5">
          {headers.map(({ name, value }) => (
            <div key={name}>
              <dt className="inline text-soft">{name}: </dt>
              <dd className="inline wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      ) : (
        <p className="mb-2 text-soft">{attempt && isRunning(attempt) ? text.headersLater : text.noHeaders}</p>
      )}
      <p className="mb-3 text-xs text-soft">{text.signedHow}</p>
      <JsonView value={body} name={text.body} />
    </Card>
  );
}
