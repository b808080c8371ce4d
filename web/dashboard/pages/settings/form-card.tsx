import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { LiveForm, type LiveQuestion } from '../../../shared/components/live-form.tsx';
import type { ApiForm } from '../../../shared/components/use-api-form.ts';
import { settings as text } from '../../../shared/text/settings.ts';

interface FormCardProps<Values extends FieldValues> {
  readonly title: string;
  readonly description: string;
  readonly apiForm: ApiForm<Values>;
  readonly send: (values: Values) => Promise<unknown>;
  /** Why this member may not change the settings; undefined if the member may. */
  readonly forbidden: string | undefined;
  readonly question?: LiveQuestion;
  readonly children: ReactNode;
}

/** A card of settings that are saved together. */
export function FormCard<Values extends FieldValues>(props: FormCardProps<Values>) {
  const { title, description, apiForm, send, forbidden, question, children } = props;
  const { form, formError, submit } = apiForm;
  const { isSubmitting, isDirty } = form.formState;
  const save = submit(async (values) => {
    await send(values);
    form.reset(values);
  });
  return (
    <Card title={title} description={description}>
      <LiveForm question={question} onSubmit={save}>
        <fieldset disabled={forbidden !== undefined} className="grid max-w-2xl min-w-0 gap-4">
          {children}
        </fieldset>
        {formError && (
          <p role="alert" className="mt-3 text-bad">
            {formError}
          </p>
        )}
        <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-2 border-t border-line pt-3">
          <Button
            type="submit"
            kind="primary"
            busy={isSubmitting}
            disabled={forbidden !== undefined || !isDirty}
            title={forbidden}
          >
            {text.save}
          </Button>
          {forbidden && <p className="text-soft">{forbidden}</p>}
        </div>
      </LiveForm>
    </Card>
  );
}
