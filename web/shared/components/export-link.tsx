import { environment } from '../api/environment.ts';
import { common } from '../text/common.ts';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';

interface ExportLinkProps {
  readonly kind: 'payments' | 'subscriptions' | 'customers' | 'events';
  /** The filters of the list, in the words of REST. */
  readonly filters: Readonly<Record<string, string | null | undefined>>;
}

/** Downloads the whole filtered list as CSV, not only the page that is shown. */
export function ExportLink({ kind, filters }: ExportLinkProps) {
  const given = Object.entries(filters).filter((entry): entry is [string, string] => Boolean(entry[1]));
  const query = new URLSearchParams([...given, ['environment', environment]]);
  return (
    <a href={`/api/exports/${kind}.csv?${query}`} download={`${kind}.csv`} className={buttonClass()}>
      <Icon name="download" />
      {common.exportCsv}
    </a>
  );
}
