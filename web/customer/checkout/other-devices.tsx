import { useContext } from 'react';
import type { OtherDevices as Links } from '../../../src/api/pages/page-data.ts';
import { buttonClass } from '../../shared/components/button.tsx';
import { checkout } from '../../shared/text/checkout.ts';
import { QrDrawing } from './qr-drawing.ts';

const text = checkout.devices;
const ON_DESKTOP = '[@media(hover:hover)_and_(pointer:fine)_and_(min-width:30.01rem)]:hidden';
const ON_PHONE = '[@media(hover:none)]:hidden';
const summaryClass = 'text-center text-soft';

interface OtherDevicesProps {
  readonly links: Links;
  /** Whether this browser has a wallet, which is then the first choice. */
  readonly hasWallet: boolean;
  /** Whether the code for a phone is shown without a click. */
  readonly isCodeOpen: boolean;
}

/**
 * Links for phones, one of them as the button, and QR codes for other devices. They work without
 * scripts.
 */
export function OtherDevices({
  links: { app, solanaPay, walletApps },
  hasWallet,
  isCodeOpen,
}: OtherDevicesProps) {
  return (
    <>
      <div className={`grid gap-4 ${ON_DESKTOP}`}>
        {solanaPay !== null && (
          <a href={solanaPay} className={buttonClass(hasWallet ? 'secondary' : 'primary', 'min-h-11 w-full')}>
            {text.walletApp}
          </a>
        )}
        <details open={solanaPay === null}>
          <summary className={summaryClass}>{text.others}</summary>
          {app !== null && (
            <p className="mt-3 text-center">
              <a href={app}>{text.app}</a>
            </p>
          )}
          <p className="mt-3 text-center text-soft">{text.openIn}</p>
          <ul className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2">
            {walletApps.map(({ name, href }) => (
              <li key={name}>
                <a
                  href={href}
                  rel="noreferrer"
                  className="block rounded-md border border-line px-1 py-2.5 text-center text-sm font-semibold text-ink"
                >
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </details>
      </div>
      {solanaPay !== null && (
        <details open={isCodeOpen} className={ON_PHONE}>
          <summary className={summaryClass}>{text.scan}</summary>
          <Code link={solanaPay} label={text.scanCode} hint={text.scanHint} />
        </details>
      )}
      {app !== null && (
        <details className={ON_PHONE}>
          <summary className={summaryClass}>{text.scanApp}</summary>
          <Code link={app} label={text.scanAppCode} hint={text.scanAppHint} />
        </details>
      )}
    </>
  );
}

interface CodeProps {
  readonly link: string;
  /** The purpose of the code, for screen readers. */
  readonly label: string;
  readonly hint: string;
}

function Code({ link, label, hint }: CodeProps) {
  const draw = useContext(QrDrawing);
  return (
    <>
      {/* Scanners need dark on light, in both themes. */}
      <div
        role="img"
        aria-label={label}
        className="mx-auto mt-4 w-48 max-w-full rounded-md bg-[white] p-2 [&>svg]:block [&>svg]:h-auto [&>svg]:w-full"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: a library has drawn it from our own link
        dangerouslySetInnerHTML={{ __html: draw(link) }}
      />
      <p className="mt-3 text-center text-soft">{hint}</p>
    </>
  );
}
