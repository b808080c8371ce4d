import type { Context } from 'hono';
import type { ApiEnv } from '../http/api-env.ts';
import type { BuiltFile } from './built-files.ts';

/** `Cache-Control` headers by the way a browser may keep a file. */
const CACHE = {
  /** The name changes with the content. */
  immutable: 'public, max-age=31536000, immutable',
  never: 'no-store',
  /** The browser asks each time whether the file has changed. */
  checked: 'no-cache',
} as const;

/** Answers with a file, in the best compression that the client accepts. */
export function sendFile(c: Context<ApiEnv>, file: BuiltFile, cache: keyof typeof CACHE) {
  const encoding = chosenEncoding(c.req.header('accept-encoding'), file);
  c.header('Content-Type', file.type);
  c.header('Cache-Control', CACHE[cache]);
  c.header('Vary', 'Accept-Encoding');
  if (encoding) c.header('Content-Encoding', encoding);
  return c.body((encoding && file[encoding]) ?? file.content);
}

/** The encoding of the smallest copy that the client accepts; `q=0` refuses an encoding. */
function chosenEncoding(accepted: string | undefined, file: BuiltFile): 'br' | 'gzip' | undefined {
  const names = (accepted ?? '').split(',').flatMap((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
  return (['br', 'gzip'] as const).find((name) => file[name] && names.includes(name));
}
