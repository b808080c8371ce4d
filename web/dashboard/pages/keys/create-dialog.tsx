import type { ApiKeyScope } from '../../../generated/graphql.ts';
import { environment } from '../../../shared/api/environment.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { Field } from '../../../shared/components/field.tsx';
import { required } from '../../../shared/components/form-checks.ts';
import { FormDialog } from '../../../shared/components/form-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { keys as text } from '../../../shared/text/keys.ts';

const CREATE_KEY = graphql(/* GraphQL */ `
  mutation CreateKey($name: String!, $scopes: [ApiKeyScope!], $expiresAt: DateTime) {
    createApiKey(name: $name, scopes: $scopes, expiresAt: $expiresAt) {
      apiKey
    }
  }
`);

const SCOPES: readonly ApiKeyScope[] = ['READ', 'CHECKOUT', 'WRITE'];
const DAYS = [0, 7, 30, 90, 365] as const;
const DAY_MS = 86_400_000;

interface CreateDialogProps {
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

export function CreateDialog({ onSecret, onClose }: CreateDialogProps) {
  const toast = useToast();
  const create = useChange(CREATE_KEY, {
    onDone: ({ createApiKey }) => {
      toast(text.createdDone);
      onSecret(createApiKey.apiKey);
    },
  });
  const apiForm = useApiForm(
    { name: '', scopes: [...SCOPES], expiresAt: '0' },
    {
      name: required(text.nameMissing),
      scopes: (scopes) => (scopes.length === 0 ? text.scopesMissing : undefined),
    },
  );
  const { form, errorOf } = apiForm;
  return (
    <FormDialog
      title={text.createTitle(environment.toUpperCase())}
      action={text.create}
      apiForm={apiForm}
      send={async ({ name, scopes, expiresAt }) => {
        const days = Number(expiresAt);
        await create.mutateAsync({
          name,
          scopes,
          // Keys last real days, however far the time of billing was moved.
          expiresAt: days > 0 ? new Date(Date.now() + days * DAY_MS).toISOString() : null,
        });
      }}
      onClose={onClose}
    >
      <Field label={text.name} hint={text.nameHint} error={errorOf('name')}>
        {(control) => <input {...control} {...form.register('name')} autoComplete="off" />}
      </Field>
      <fieldset>
        <legend className="mb-1 font-medium">{text.scopes}</legend>
        <div className="grid gap-2">
          {SCOPES.map((scope) => (
            <label key={scope} className="flex items-start gap-2">
              <input
                type="checkbox"
                value={scope}
                {...form.register('scopes')}
                className="mt-0.5 size-4 accent-accent"
              />
              <span>
                {text.scopeNames[scope]}
                <span className="block text-xs text-soft">{text.scopeHints[scope]}</span>
              </span>
            </label>
          ))}
        </div>
        {errorOf('scopes') && (
          <p role="alert" className="mt-1 text-bad">
            {errorOf('scopes')}
          </p>
        )}
      </fieldset>
      <Field label={text.expiry} hint={text.expiryHint} error={errorOf('expiresAt')}>
        {(control) => (
          <select {...control} {...form.register('expiresAt')}>
            {DAYS.map((days) => (
              <option key={days} value={days}>
                {text.expiries[days]}
              </option>
            ))}
          </select>
        )}
      </Field>
    </FormDialog>
  );
}
