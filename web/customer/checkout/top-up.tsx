import { useState } from 'react';
import type { OpenCheckoutData } from '../../../src/api/pages/page-data.ts';
import { Button } from '../../shared/components/button.tsx';
import { checkout } from '../../shared/text/checkout.ts';
import { inSol, inToken } from './amounts.ts';
import type { WalletCheck } from './checkout-api.ts';

const text = checkout.topUp;

interface TopUpProps {
  readonly data: OpenCheckoutData;
  readonly address: string;
  readonly missing: NonNullable<WalletCheck['missing']>;
}

/** Everything that a wallet lacks, with QR codes with which another wallet can send it. */
export function TopUp({ data: { sessionId, offer }, address, missing: { amount, lamports } }: TopUpProps) {
  const sol = lamports === null ? text.sol : lamports === '0' ? null : inSol(lamports);
  const tokens = amount === '0' ? null : inToken(offer, amount);
  const code = `/checkout/${sessionId}/top-up.svg?wallet=${address}`;
  return (
    <div className="mt-4 text-center">
      <div className="flex justify-center gap-4 [@media(hover:none)]:hidden">
        {sol !== null && <Code source={code} amount={sol} />}
        {tokens !== null && <Code source={`${code}&amount=${amount}`} amount={tokens} />}
      </div>
      <p className="mt-3 text-soft">{text.send([sol, tokens].filter((missing) => missing !== null))}</p>
      <p className="mt-3 text-soft">
        {text.address}
        <br />
        <code className="text-sm">{address}</code>
      </p>
      <CopyAddress address={address} />
    </div>
  );
}

/** The QR code of a transfer to the wallet. Scanners need dark on light, in both themes. */
function Code({ source, amount }: { readonly source: string; readonly amount: string }) {
  return (
    <figure className="min-w-0 flex-[0_1_12rem] font-semibold">
      <img
        src={source}
        alt={text.code(amount)}
        className="mx-auto block aspect-square w-48 max-w-full rounded-md bg-[white] p-2"
      />
      <figcaption>{amount}</figcaption>
    </figure>
  );
}

/**
 * Copies the address. Browsers refuse the clipboard to some pages, so the address is always shown
 * too.
 */
function CopyAddress({ address }: { readonly address: string }) {
  const [label, setLabel] = useState<string>(text.copy);
  const copy = () =>
    navigator.clipboard.writeText(address).then(
      () => setLabel(text.copied),
      () => setLabel(text.notCopied),
    );
  return (
    <Button kind="plain" className="mt-2 min-h-11" onClick={() => void copy()}>
      {label}
    </Button>
  );
}
