import { useState } from 'react';
import type { BillingAnswer, SubscriptionDetailAnswer } from '../../../src/api/portal/answers.ts';
import { Button } from '../../shared/components/button.tsx';
import { Card } from '../../shared/components/card.tsx';
import { Field } from '../../shared/components/field.tsx';
import { portal } from '../../shared/text/portal.ts';
import { askJson } from '../shared/ask-json.ts';
import { Problem } from '../shared/frame.tsx';
import { useAnswer } from '../shared/use-answer.ts';

const text = portal.billing;

/** The billing details that later receipts show, and the form that changes them. */
export function BillingCard({ subscription }: { readonly subscription: SubscriptionDetailAnswer }) {
  const path = `/api/portal/subscriptions/${subscription.id}/billing`;
  const { data, show } = useAnswer<BillingAnswer>(path);
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  if (!data) return null;
  const lines = [data.billingName, data.billingAddress, data.taxId].filter((line) => line !== null);
  return (
    <Card title={text.title} description={text.hint}>
      {isOpen ? (
        <BillingForm
          path={path}
          before={data}
          onDone={(changed) => {
            show(changed);
            setSaved(true);
            setOpen(false);
          }}
          onClose={() => setOpen(false)}
        />
      ) : (
        <>
          <p className="whitespace-pre-line">{lines.length === 0 ? text.none : lines.join('\n')}</p>
          {isSaved && (
            <p role="status" className="mt-2 text-good">
              {text.saved}
            </p>
          )}
          <Button
            className="mt-3 min-h-11 px-4"
            onClick={() => {
              setSaved(false);
              setOpen(true);
            }}
          >
            {text.edit}
          </Button>
        </>
      )}
    </Card>
  );
}

interface FormProps {
  readonly path: string;
  readonly before: BillingAnswer;
  readonly onDone: (changed: BillingAnswer) => void;
  readonly onClose: () => void;
}

function BillingForm({ path, before, onDone, onClose }: FormProps) {
  const [name, setName] = useState(before.billingName ?? '');
  const [address, setAddress] = useState(before.billingAddress ?? '');
  const [taxId, setTaxId] = useState(before.taxId ?? '');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const save = async (event: React.FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(undefined);
    await askJson<BillingAnswer>(path, {
      billingName: name.trim() || null,
      billingAddress: address.trim() || null,
      taxId: taxId.trim() || null,
    }).then(onDone, (error: Error) => setProblem(error.message));
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void save(event)} className="grid gap-4">
      <Field label={text.name}>
        {(control) => (
          <input
            {...control}
            maxLength={200}
            autoComplete="organization"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={text.address}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={500}
            autoComplete="street-address"
            value={address}
            onInput={(event) => setAddress(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label={text.taxId}>
        {(control) => (
          <input
            {...control}
            maxLength={50}
            value={taxId}
            onInput={(event) => setTaxId(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem>{problem}</Problem>}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" kind="primary" busy={isBusy} className="min-h-11 px-4">
          {text.save}
        </Button>
        <Button className="min-h-11 px-4" onClick={onClose}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
}
