import { useState } from 'react';
import { useCluster } from '../../../shared/api/cluster.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Button, buttonClass } from '../../../shared/components/button.tsx';
import { CopyButton } from '../../../shared/components/copy-button.tsx';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
import { Icon } from '../../../shared/components/icon.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { labels } from '../../../shared/text/labels.ts';
import { plan as text } from '../../../shared/text/plan.ts';

const OPEN_CHECKOUT = graphql(/* GraphQL */ `
  mutation OpenTestCheckout($input: CreateCheckoutSessionInput!) {
    createCheckoutSession(input: $input) {
      url
    }
  }
`);

interface TestCheckoutDialogProps {
  readonly planId: string;
  readonly onClose: () => void;
}

/** Opens a checkout of a plan in a new tab, as its customers see it. */
export function TestCheckoutDialog({ planId, onClose }: TestCheckoutDialogProps) {
  const cluster = useCluster();
  const [url, setUrl] = useState<string>();
  const open = useChange(OPEN_CHECKOUT);
  const { form, errorOf, formError, submit } = useApiForm({ customerEmail: 'test@example.com' });
  const send = async ({ customerEmail }: { customerEmail: string }) => {
    // Opened before the request, because browsers open a tab only during a click.
    const tab = window.open('about:blank', '_blank');
    try {
      const { createCheckoutSession: session } = await open.mutateAsync({ input: { planId, customerEmail } });
      setUrl(session.url);
      if (!tab) return;
      tab.opener = null;
      tab.location.replace(session.url);
    } catch (error) {
      tab?.close();
      throw error;
    }
  };
  return (
    <Dialog title={text.testCheckout} description={text.testCheckoutHint} onClose={onClose}>
      <form noValidate className="grid gap-4" onSubmit={submit(send)}>
        <Field
          label={text.email}
          hint={cluster && (cluster.isLocal ? text.testCheckoutLocal : text.testCheckoutDevnet)}
          error={errorOf('customerEmail')}
        >
          {(control) => <input {...control} {...form.register('customerEmail')} type="email" />}
        </Field>
        <FormError message={formError} />
        {url && (
          <div role="status" className="rounded-md bg-good-ground px-3 py-2 text-good">
            <p>{text.checkoutReady}</p>
            <p className="mt-1 flex items-center gap-1">
              <a href={url} target="_blank" rel="noreferrer" className="min-w-0 truncate text-good">
                {url}
              </a>
              <CopyButton text={url} />
            </p>
          </div>
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{url ? labels.close : labels.cancel}</Button>
          {url ? (
            <a href={url} target="_blank" rel="noreferrer" className={buttonClass('primary')}>
              <Icon name="external" />
              {text.openCheckout}
            </a>
          ) : (
            <Button type="submit" kind="primary" icon="external" busy={form.formState.isSubmitting}>
              {text.openCheckout}
            </Button>
          )}
        </div>
      </form>
    </Dialog>
  );
}
