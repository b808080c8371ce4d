/** The pages for customers are written for React and run on Preact, which is a tenth of its size. */
export const PREACT = {
  'react/jsx-runtime': 'preact/jsx-runtime',
  'react-dom/client': 'preact/compat/client',
  'react-dom/server': 'preact-render-to-string',
  'react-dom': 'preact/compat',
  react: 'preact/compat',
} as const;
