import { type FormEvent, useState } from 'react';
import { ApiError } from '../../shared/api/api-error.ts';
import { Button } from '../../shared/components/button.tsx';
import { Field } from '../../shared/components/field.tsx';
import { checkout } from '../../shared/text/checkout.ts';
import { CheckoutApi } from './checkout-api.ts';

const text = checkout.code;

interface CodeFieldProps {
  readonly sessionId: string;
  readonly allowsCodes: boolean;
  readonly hasDiscount: boolean;
}

/** The form for a code of a discount, or the button that removes the discount. */
export function CodeField({ sessionId, allowsCodes, hasDiscount }: CodeFieldProps) {
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const change = async (ask: (api: CheckoutApi) => Promise<unknown>) => {
    setBusy(true);
    setProblem(undefined);
    try {
      await ask(new CheckoutApi(sessionId));
      // The server draws the prices of the page.
      location.reload();
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : text.failed);
      setBusy(false);
    }
  };
  const enter = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get('code') ?? '');
    void change((api) => api.enterCode(code));
  };
  if (hasDiscount) {
    return (
      <div>
        <Button kind="plain" busy={isBusy} onClick={() => void change((api) => api.removeDiscount())}>
          {text.remove}
        </Button>
        {problem !== undefined && <p className="mt-1 text-bad">{problem}</p>}
      </div>
    );
  }
  if (!allowsCodes) return null;
  return (
    <form className="grid gap-2" onSubmit={enter}>
      <Field label={text.label} error={problem}>
        {(control) => <input {...control} name="code" autoComplete="off" maxLength={40} required />}
      </Field>
      <Button type="submit" busy={isBusy}>
        {text.enter}
      </Button>
    </form>
  );
}
