import { useId, useRef, useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Button } from '../../../shared/components/button.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { settings as text } from '../../../shared/text/settings.ts';
import { convertToPng } from './convert-to-png.ts';

const UPLOAD = graphql(/* GraphQL */ `
  mutation UploadLogo($png: String!) {
    uploadLogo(png: $png) {
      logoUrl
    }
  }
`);

const REMOVE = graphql(/* GraphQL */ `
  mutation RemoveLogo {
    updateMerchantProfile(input: { logoUrl: null }) {
      logoUrl
    }
  }
`);

interface LogoFieldProps {
  readonly logoUrl: string | null;
  /** Whether this member may change the logo. */
  readonly isAllowed: boolean;
}

/** The logo with buttons that upload another one or remove it. */
export function LogoField({ logoUrl, isAllowed }: LogoFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const [error, setError] = useState<string>();
  const upload = useChange(UPLOAD, { onDone: () => toast(text.logoSaved) });
  const remove = useChange(REMOVE, { onDone: () => toast(text.logoRemoved) });
  const send = async (file: File | undefined) => {
    if (!file) return;
    setError(undefined);
    try {
      await upload.mutateAsync({ png: await convertToPng(file) });
    } catch (reason) {
      setError(reason instanceof Error ? reason.message : String(reason));
    }
    // Allows choosing the same file again.
    if (input.current) input.current.value = '';
  };
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {text.logo}
      </label>
      <div className="flex flex-wrap items-center gap-3">
        <span className="grid size-14 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-sunken text-xs text-soft">
          {logoUrl ? (
            <img
              src={logoUrl}
              alt={text.logoAlt}
              referrerPolicy="no-referrer"
              className="size-full object-contain"
            />
          ) : (
            text.noLogo
          )}
        </span>
        <input
          ref={input}
          id={id}
          type="file"
          accept="image/png,image/jpeg,image/webp,image/svg+xml"
          disabled={!isAllowed || upload.isPending}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => void send(target.files?.[0])}
          className="w-full max-w-80 min-w-0 text-soft file:mr-3 file:min-h-8 file:rounded-md file:border file:border-line file:bg-surface file:px-3 file:font-medium file:text-ink"
        />
        {logoUrl && (
          <Button
            kind="plain"
            disabled={!isAllowed}
            busy={remove.isPending}
            onClick={() => remove.mutate({})}
          >
            {text.removeLogo}
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="mt-1 text-xs leading-4 text-soft">
        {text.logoHint}
      </p>
      {(error ?? remove.error) && (
        <p role="alert" className="mt-1 text-bad">
          {error ?? remove.error?.message}
        </p>
      )}
    </div>
  );
}
