import type { SignInOutput } from '../../../generated/graphql.ts';
import { ask } from '../../../shared/api/ask.ts';
import { graphql } from '../../../shared/api/graphql.ts';
import { Button } from '../../../shared/components/button.tsx';
import { ShortId } from '../../../shared/components/copy-button.tsx';
import { Field } from '../../../shared/components/field.tsx';
import { required } from '../../../shared/components/form-checks.ts';
import { useApiForm } from '../../../shared/components/use-api-form.ts';
import { signInText as text } from '../../../shared/text/sign-in.ts';

const CREATE_MERCHANT = graphql(/* GraphQL */ `
  mutation CreateMerchant($companyName: String!, $output: SignInOutput) {
    createMerchant(companyName: $companyName, output: $output) {
      merchantId
    }
  }
`);

interface NewMerchantProps {
  /** The wallet's signed sign-in, which is valid once more for this request. */
  readonly output: SignInOutput;
  readonly onCreated: () => void;
  readonly onCancel: () => void;
}

/** Asks a wallet that is not a member anywhere for the name of its company. */
export function NewMerchant({ output, onCreated, onCancel }: NewMerchantProps) {
  const { form, errorOf, formError, submit } = useApiForm(
    { companyName: '' },
    { companyName: required(text.companyNameMissing) },
  );
  return (
    <form
      noValidate
      className="grid gap-4 p-2"
      onSubmit={submit(async ({ companyName }) => {
        await ask(CREATE_MERCHANT, { companyName, output });
        onCreated();
      })}
    >
      <p className="flex flex-wrap items-center gap-x-2 text-soft">
        {text.newWallet} <ShortId value={output.address} copies={false} />
      </p>
      <Field label={text.companyName} hint={text.companyNameHint} error={errorOf('companyName')}>
        {(control) => <input {...control} autoComplete="organization" {...form.register('companyName')} />}
      </Field>
      {formError && (
        <p role="alert" className="rounded-md bg-bad-ground px-3 py-2 text-bad">
          {formError}
        </p>
      )}
      <div className="grid gap-2">
        <Button type="submit" kind="primary" busy={form.formState.isSubmitting}>
          {text.create}
        </Button>
        <Button kind="plain" onClick={onCancel}>
          {text.otherWallet}
        </Button>
      </div>
    </form>
  );
}
