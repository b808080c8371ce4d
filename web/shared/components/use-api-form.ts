import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type ResolverResult,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { ApiError } from '../api/api-error.ts';
import { type Checks, findErrors, withoutParam } from './form-checks.ts';

export interface ApiForm<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>;
  /** The message of a field's error. */
  readonly errorOf: (name: Path<Values>) => string | undefined;
  /** The message of an error that belongs to no field. */
  readonly formError: string | undefined;
  /** Sends the form and puts the server's error beside the field that its `param` names. */
  readonly submit: (send: (values: Values) => Promise<unknown>) => (event?: React.BaseSyntheticEvent) => void;
}

/** The prefix of `param` that field names leave out. */
const PREFIX = 'input.';

/**
 * A form that the server validates.
 *
 * @param checks find missing and unreadable values before the form is sent, all of them at once
 */
export function useApiForm<Values extends FieldValues>(
  defaultValues: DefaultValues<Values>,
  checks: Checks<Values> = {},
): ApiForm<Values> {
  const form = useForm<Values>({ defaultValues, resolver: (values) => resolve(values, checks) });
  const { errors } = form.formState;
  const show = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const name = error.param?.startsWith(PREFIX) ? error.param.slice(PREFIX.length) : error.param;
    const field = name?.split('.')[0];
    if (field && field in form.getValues()) {
      const message = withoutParam(error.message, field);
      form.setError(field as Path<Values>, { message }, { shouldFocus: true });
    } else form.setError('root', { message: error.message });
  };
  return {
    form,
    errorOf: (name) => errors[name]?.message as string | undefined,
    formError: errors.root?.message,
    submit: (send) => (event) => {
      // The error of a field that is not registered would block every later submission.
      form.clearErrors();
      void form.handleSubmit((values) => send(values).catch(show))(event);
    },
  };
}

/** The result of the checks in the form that React Hook Form expects. */
function resolve<Values extends FieldValues>(values: Values, checks: Checks<Values>): ResolverResult<Values> {
  const found = Object.entries(findErrors(values, checks));
  if (found.length === 0) return { values, errors: {} };
  const errors = Object.fromEntries(found.map(([name, message]) => [name, { type: 'check', message }]));
  return { values: {}, errors: errors as FieldErrors<Values> };
}
