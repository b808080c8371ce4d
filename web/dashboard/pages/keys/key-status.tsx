import { Badge } from '../../../shared/components/badge.tsx';
import { keys as text } from '../../../shared/text/keys.ts';
import { DateOnly, RelativeTime, Time } from '../../../shared/time/time.tsx';
import type { KeyRow } from './key.ts';

/** The status of a key, with the time at which it was revoked or expires. */
export function KeyStatus({ row }: { readonly row: KeyRow }) {
  const { revokedAt, isValid, replacedBy, expiresAt } = row;
  if (revokedAt) {
    return (
      <>
        <Badge>{text.revoked}</Badge>
        <Below>
          <DateOnly at={revokedAt} />
        </Below>
      </>
    );
  }
  if (!isValid) return <Badge>{replacedBy ? text.replaced : text.expired}</Badge>;
  return (
    <>
      {replacedBy ? <Badge tone="warn">{text.replaced}</Badge> : <Badge tone="good">{text.active}</Badge>}
      {replacedBy && <Below>{text.replacedBy(replacedBy.lastFour)}</Below>}
      {expiresAt && (
        <Below>
          {replacedBy ? (
            <>
              {text.validUntil} <Time at={expiresAt} />
            </>
          ) : (
            <>
              {text.expires} <RelativeTime at={expiresAt} clock="machine" />
            </>
          )}
        </Below>
      )}
    </>
  );
}

function Below({ children }: { readonly children: React.ReactNode }) {
  return <span className="block text-xs text-soft">{children}</span>;
}
