import { useEffect, useRef } from 'react';
import { buttonClass } from '../../../shared/components/button.tsx';
import { CodeSample } from '../../../shared/components/code-sample.tsx';
import { CopyButton } from '../../../shared/components/copy-button.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { links as text } from '../../../shared/text/links.ts';
import type { LinkRow } from './link.ts';

type LinkParts = Pick<LinkRow, 'id' | 'url' | 'qrSvgUrl' | 'qrPngUrl' | 'embedScriptUrl'> & {
  readonly plan: { readonly name: string };
};

export type SharedLink = LinkParts & Pick<LinkRow, 'name'>;

export function ShareDialog({ row, onClose }: { readonly row: SharedLink; readonly onClose: () => void }) {
  return (
    <Dialog title={text.shareTitle(row.name)} description={text.shareHint} onClose={onClose} wide>
      <ShareParts link={row} />
    </Dialog>
  );
}

/** The link, its QR code, and a button to embed in a page. */
export function ShareParts({ link }: { readonly link: LinkParts }) {
  const { id, url, qrSvgUrl, qrPngUrl, embedScriptUrl, plan } = link;
  const button = [
    `<script src="${embedScriptUrl}" async></script>`,
    `<a class="dues-button" href="${url}" data-mode="popup">${escapeHtml(text.buttonText(plan.name))}</a>`,
  ].join('\n');
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <section className="grid content-start gap-2">
        <img
          src={new URL(qrSvgUrl).pathname}
          alt={text.qrAlt}
          className="aspect-square w-48 rounded-md border border-line bg-[white]"
        />
        {[
          [qrSvgUrl, text.svg, 'svg'],
          [qrPngUrl, text.png, 'png'],
        ].map(([href = '', label, extension]) => (
          <a
            key={extension}
            href={new URL(href).pathname}
            download={`${id}.${extension}`}
            className={buttonClass()}
          >
            <Icon name="download" />
            {label}
          </a>
        ))}
      </section>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-5">
        <section>
          <h3 className="mb-1 font-medium">{text.url}</h3>
          <SelectedLink url={url} />
        </section>
        <section>
          <h3 className="mb-1 font-medium">{text.embed}</h3>
          <p className="mb-2 text-soft">{text.embedHint}</p>
          <CodeSample samples={[{ name: 'HTML', code: button }]} />
        </section>
      </div>
    </div>
  );
}

/** The link in a field, selected, so that it can be copied at once. */
function SelectedLink({ url }: { readonly url: string }) {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <p className="flex items-center gap-1">
      <input
        ref={field}
        readOnly
        aria-label={text.url}
        value={url}
        onFocus={({ target }) => target.select()}
        className="min-h-8 min-w-0 flex-1 rounded-md border border-edge bg-sunken px-2.5 py-1"
      />
      <CopyButton text={url} />
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={text.open(url)}
        title={text.open(url)}
        className="inline-grid size-6 place-items-center rounded-sm text-soft hover:bg-sunken hover:text-ink"
      >
        <Icon name="external" className="size-3.5" />
      </a>
    </p>
  );
}

function escapeHtml(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
