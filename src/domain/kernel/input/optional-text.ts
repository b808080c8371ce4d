/**
 * The validated text of a field that null removes: `{}` if the input does not name the field.
 *
 * @throws the errors of `valid`
 */
export function optionalText<Name extends string>(
  input: { readonly [name in Name]?: string | null | undefined },
  name: Name,
  valid: (param: string, text: string) => string,
): { [name in Name]?: string | null } {
  const text = input[name];
  if (text === undefined) return {};
  return { [name]: text === null ? null : valid(name, text) } as { [name in Name]?: string | null };
}
