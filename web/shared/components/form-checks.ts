import { labels } from '../text/labels.ts';

/** What is wrong with a value, in the words of the form; undefined if nothing is. */
type Check<Value, Values> = (value: Value, values: Values) => string | undefined;

/** The checks of a form's fields before it is sent. The server checks everything again. */
export type Checks<Values> = { readonly [Name in keyof Values]?: Check<Values[Name], Values> };

/** Checks that a text is not empty. */
export function required(message: string): (text: string) => string | undefined {
  return (text) => (text.trim() === '' ? message : undefined);
}

/** Checks that a text is an https address, or empty. */
export function optionalAddress(text: string): string | undefined {
  const address = text.trim();
  return address === '' || /^https:\/\/[^\s/]/.test(address) ? undefined : labels.addressInvalid;
}

/** Finds the errors of all fields, not only the first one. */
export function findErrors<Values extends object>(
  values: Values,
  checks: Checks<Values>,
): Partial<Record<keyof Values, string>> {
  const errors: Partial<Record<keyof Values, string>> = {};
  for (const name of Object.keys(checks) as (keyof Values)[]) {
    const message = checks[name]?.(values[name], values);
    if (message !== undefined) errors[name] = message;
  }
  return errors;
}

/** The server's message beside its field, which has another name there: `url must ...`. */
export function withoutParam(message: string, field: string): string {
  return message.startsWith(`${field} `) ? `This${message.slice(field.length)}` : message;
}
