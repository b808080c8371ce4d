/**
 * Lists every wrong or missing variable on its own line, with the problem and the allowed values.
 */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
