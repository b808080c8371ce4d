import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import { ApiError } from '../api/api-error.ts';

export interface ApiForm<Values extends FieldValues> {
  readonly form: UseFormReturn<Values>;
  /** The message of a field's error. */
  readonly errorOf: (name: Path<Values>) => string | undefined;
  /** The message of an error that belongs to no field. */
  readonly formError: string | undefined;
  /** Sends the form and puts the server's error beside the field that its `param` names. */
  readonly submit: (send: (values: Values) => Promise<unknown>) => (event?: React.BaseSyntheticEvent) => void;
}

/**
 * A form that the server validates.
 *
 * @param prefix the prefix of `param` that field names leave out: `input.`
 */
export function useApiForm<Values extends FieldValues>(
  defaultValues: DefaultValues<Values>,
  prefix = 'input.',
): ApiForm<Values> {
  const form = useForm<Values>({ defaultValues });
  const { errors } = form.formState;
  const show = (error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    const name = error.param?.startsWith(prefix) ? error.param.slice(prefix.length) : error.param;
    const field = name?.split('.')[0];
    if (field && field in form.getValues()) {
      form.setError(field as Path<Values>, { message: error.message }, { shouldFocus: true });
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
