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
