import type { ReactNode } from 'react';
import type { PageData, PageName } from '../../../src/api/pages/page-data.ts';

/** A page that the server renders. */
export interface PageView<Data> {
  readonly title: (data: Data) => string;
  /** Shown by search engines and in previews of links. */
  readonly description?: (data: Data) => string;
  /** Whether search engines must not show the page, because its URL gives access to it. */
  readonly isUnlisted?: boolean;
  readonly Content: (data: Data) => ReactNode;
  /** Seconds after which the page reloads itself; undefined if it does not. */
  readonly reloadSeconds?: (data: Data) => number | undefined;
  /** The same in a browser without JavaScript. */
  readonly reloadSecondsWithoutScript?: (data: Data) => number | undefined;
  readonly hasForm?: boolean;
  /**
   * Whether the page needs the script, which renders it once more in the browser. A page that never
   * needs it leaves this out.
   */
  readonly hasScript?: (data: Data) => boolean;
}

/** A page, as its document passes it to the script. */
export type NamedPage = {
  [Name in PageName]: { readonly name: Name; readonly data: PageData[Name] };
}[PageName];

const ROOT = 'page';

/** The element in which a page is rendered, and the page. */
export function rootOf(document: Document): HTMLElement {
  const root = document.getElementById(ROOT);
  if (!root) throw new Error('The document has no page.');
  return root;
}

/** The page of a document; undefined if it is a page without a script. */
export function dataIn(document: Document): NamedPage | undefined {
  const json = document.getElementById(ROOT)?.dataset.page;
  return json === undefined ? undefined : JSON.parse(json);
}

interface DocumentProps<Data> {
  readonly view: PageView<Data>;
  readonly data: Data;
  /** The page for the script; undefined if it never needs it. */
  readonly page: NamedPage | undefined;
  readonly style: string;
  /** The script of the page, if it needs it now. */
  readonly script: { readonly src: string; readonly integrity: string } | undefined;
  readonly walletScript: string | undefined;
  readonly children: ReactNode;
}

/** The HTML document of a page. */
export function PageDocument<Data>(props: DocumentProps<Data>) {
  const { view, data, page, style, script, walletScript, children } = props;
  const reloadSeconds = view.reloadSeconds?.(data);
  const secondsWithoutScript = view.reloadSecondsWithoutScript?.(data);
  const description = view.description?.(data);
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{view.title(data)}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        {view.isUnlisted && <meta name="robots" content="noindex" />}
        {description !== undefined && <meta name="description" content={description} />}
        {reloadSeconds !== undefined && <Reload seconds={reloadSeconds} />}
        {secondsWithoutScript !== undefined && (
          <noscript>
            <Reload seconds={secondsWithoutScript} />
          </noscript>
        )}
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: the style sheet is our own */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <div id={ROOT} data-page={page && JSON.stringify(page)}>
          {children}
        </div>
        {script && walletScript !== undefined && <script type="module" src={walletScript} />}
        {script && <script type="module" src={script.src} integrity={script.integrity} />}
      </body>
    </html>
  );
}

function Reload({ seconds }: { readonly seconds: number }) {
  return <meta httpEquiv="refresh" content={String(seconds)} />;
}
