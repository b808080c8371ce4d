/** The first versions that support the styles, above all `light-dark()`. */
export const BROWSERS = ['chrome123', 'firefox120', 'safari17.5'];
