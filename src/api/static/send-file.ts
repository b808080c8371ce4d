import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import type { BuiltFile } from './built-files.ts';

/** How long a browser may keep a file. */
const CACHE = {
  /** The name changes with the content. */
  immutable: 'public, max-age=31536000, immutable',
  never: 'no-store',
  /** The browser asks each time. */
  checked: 'no-cache',
} as const;

/** Answers with a file, compressed as the client accepts. */
export function sendFile(c: Context<ApiEnv>, file: BuiltFile, cache: keyof typeof CACHE) {
  const encoding = chosenEncoding(c.req.header('accept-encoding'), file);
  c.header('Content-Type', file.type);
  c.header('Cache-Control', CACHE[cache]);
  c.header('Vary', 'Accept-Encoding');
  if (encoding) c.header('Content-Encoding', encoding);
  return c.body((encoding && file[encoding]) ?? file.content);
}

/** The smallest copy that the client accepts; `q=0` refuses one. */
function chosenEncoding(accepted: string | undefined, file: BuiltFile): 'br' | 'gzip' | undefined {
  const names = (accepted ?? '').split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
    return parameters.some((each) => /^q=0(\.0*)?$/.test(each)) ? [] : [name];
  });
  return (['br', 'gzip'] as const).find((name) => file[name] && names.includes(name));
}
