/** The options of a select filter: all labels, or those of the given values in their order. */
export function optionsOf<Value extends string>(
  labels: Readonly<Record<Value, string>>,
  values: readonly Value[] = Object.keys(labels) as Value[],
): readonly { readonly value: Value; readonly label: string }[] {
  return values.map((value) => ({ value, label: labels[value] ?? value }));
}

/** The two filters for a range of days. */
export function dayFilters(text: { readonly from: string; readonly to: string }) {
  return [
    { name: 'from', kind: 'date', label: text.from },
    { name: 'to', kind: 'date', label: text.to },
  ] as const;
}

const ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
const ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{43,44}$/;

/** Whether a text is our id of a subscription, or the address of one. For `isWhole` of a filter. */
export function isSubscription(text: string): boolean {
  return ID.test(text) || ADDRESS.test(text);
}
