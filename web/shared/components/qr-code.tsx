import { useEffect, useState } from 'react';

interface QrCodeProps {
  readonly text: string;
  /** The purpose of the code, for screen readers. */
  readonly label: string;
}

/** A QR code. The library that draws it is loaded only for it. */
export function QrCode({ text, label }: QrCodeProps) {
  const [source, setSource] = useState<string>();
  useEffect(() => {
    let isStale = false;
    void import('qr').then(({ encodeQR }) => {
      if (!isStale) setSource(`data:image/svg+xml,${encodeURIComponent(encodeQR(text, 'svg'))}`);
    });
    return () => {
      isStale = true;
    };
  }, [text]);
  // Scanners need dark on light, in both themes.
  return (
    <span className="block size-48 justify-self-center rounded-md bg-[white] p-2">
      {source && <img src={source} alt={label} width="176" height="176" className="size-44" />}
    </span>
  );
}
