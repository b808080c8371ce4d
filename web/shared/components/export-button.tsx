import { useEffect, useRef, useState } from 'react';
import { environment } from '../api/environment.ts';
import { readExport } from '../api/read-export.ts';
import { labels } from '../text/labels.ts';
import { Button, IconButton } from './button.tsx';
import { useToast } from './toasts.tsx';

export interface ExportButtonProps {
  readonly kind: 'payments' | 'receipts' | 'subscriptions' | 'customers' | 'events';
  /** The filters of the list, by their names in the REST API. */
  readonly filters: Readonly<Record<string, string | null | undefined>>;
  /** The rows of the filtered list, if the list counts them. */
  readonly total?: number | undefined;
}

/** Downloads the whole filtered list as CSV, not only the shown page, and shows the progress. */
export function ExportButton({ kind, filters, total }: ExportButtonProps) {
  const toast = useToast();
  const [rows, setRows] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const download = async () => {
    const stopped = new AbortController();
    running.current = stopped;
    const { signal } = stopped;
    const isSet = (entry: [string, unknown]): entry is [string, string] => Boolean(entry[1]);
    const query = new URLSearchParams([
      ...Object.entries(filters).filter(isSet),
      ['environment', environment],
    ]);
    setRows(0);
    try {
      save(await readExport(`/api/exports/${kind}.csv?${query}`, { signal, onRows: setRows }), `${kind}.csv`);
    } catch (error) {
      if (!signal.aborted) toast(error instanceof Error ? error.message : String(error), 'bad');
    }
    if (running.current === stopped) setRows(undefined);
  };
  if (rows === undefined) {
    return (
      <Button icon="download" onClick={() => void download()}>
        {labels.exportCsv}
      </Button>
    );
  }
  return (
    <span className="inline-flex items-center gap-1">
      <Button busy className="tabular-nums">
        {labels.exporting(rows, total)}
      </Button>
      <IconButton icon="close" label={labels.stopExport} onClick={() => running.current?.abort()} />
    </span>
  );
}

/** Saves a file as a download of the browser. */
function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has started to read the file when this task ends.
  setTimeout(() => URL.revokeObjectURL(url));
}
