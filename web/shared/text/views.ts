/** Texts of saved views of a list. */
export const views = {
  views: 'Views',
  hint: 'Saved in this browser.',
  empty: 'Save the filters that you use often. They are kept in this browser.',
  name: 'Save these filters as',
  placeholder: 'Failing this week',
  filterFirst: 'Set a filter first',
  save: 'Save',
  remove: (name: string) => `Remove ${name}`,
} as const;
