/** The first versions that support the styles, above all `light-dark()`. */
export const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];

/** Maximum size of the first load of a page for customers, after gzip, in kB. */
export const MAX_CUSTOMER_KILOBYTES = 45;
