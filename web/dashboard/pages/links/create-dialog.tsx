import { useQuery } from '@tanstack/react-query';
import { graphql } from '../../../shared/api/graphql.ts';
import { askOptions, useChange } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/components/dialog.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { FormButtons } from '../../../shared/components/form-buttons.tsx';
import { FormError } from '../../../shared/components/form-error.tsx';
import { LiveForm } from '../../../shared/components/live-form.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { links as text } from '../../../shared/text/links.ts';
import type { SharedLink } from './share-dialog.tsx';

const PLANS = graphql(/* GraphQL */ `
  query PlansToLink {
    plans(first: 100, status: ACTIVE) {
      edges {
        node {
          planId
          name
        }
      }
    }
  }
`);

const CREATE = graphql(/* GraphQL */ `
  mutation CreateLink($input: CreatePaymentLinkInput!) {
    createPaymentLink(input: $input) {
      id
      url
      qrSvgUrl
      qrPngUrl
      embedScriptUrl
      name
      plan {
        name
      }
    }
  }
`);

interface CreateDialogProps {
  readonly onCreated: (link: SharedLink) => void;
  readonly onClose: () => void;
}

export function CreateDialog({ onCreated, onClose }: CreateDialogProps) {
  const { data } = useQuery(askOptions(PLANS, {}));
  const plans = data?.plans.edges.map(({ node }) => node);
  return (
    <Dialog title={text.createTitle} onClose={onClose}>
      {plans?.length === 0 && <p className="text-soft">{text.noPlan}</p>}
      {plans && plans.length > 0 && <CreateForm plans={plans} onCreated={onCreated} onClose={onClose} />}
    </Dialog>
  );
}

interface CreateFormProps extends CreateDialogProps {
  readonly plans: readonly { readonly planId: string; readonly name: string }[];
}

function CreateForm({ plans, onCreated, onClose }: CreateFormProps) {
  const toast = useToast();
  const create = useChange(CREATE, {
    onDone: ({ createPaymentLink }) => {
      toast(text.createdDone);
      onCreated(createPaymentLink);
    },
  });
  const { form, errorOf, formError, submit } = useApiForm({
    planId: plans[0]?.planId ?? '',
    name: '',
    successUrl: '',
    allowsCodes: false,
  });
  return (
    <LiveForm
      question={text.liveQuestion}
      className="grid gap-4"
      onSubmit={submit(({ planId, name, successUrl, allowsCodes }) =>
        create.mutateAsync({
          input: { planId, name: name.trim() || null, successUrl: successUrl.trim() || null, allowsCodes },
        }),
      )}
    >
      <Field label={text.plan} error={errorOf('planId')}>
        {(control) => (
          <select {...control} {...form.register('planId')}>
            {plans.map(({ planId, name }) => (
              <option key={planId} value={planId}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={text.name} hint={text.nameHint} error={errorOf('name')}>
        {(control) => <input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
      <Field label={text.successUrl} hint={text.successHint} error={errorOf('successUrl')}>
        {(control) => (
          <input
            {...control}
            {...form.register('successUrl')}
            type="url"
            autoComplete="off"
            placeholder="https://"
          />
        )}
      </Field>
      <label className="flex items-center gap-2">
        <input type="checkbox" {...form.register('allowsCodes')} className="accent-accent" />
        {text.allowsCodes}
      </label>
      <FormError message={formError} />
      <FormButtons action={text.create} busy={form.formState.isSubmitting} onClose={onClose} />
    </LiveForm>
  );
}
