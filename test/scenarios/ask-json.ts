import type { World } from './world.ts';

/** The answer to a request, whether it succeeded or not. */
export interface JsonAnswer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** Sends a request with the merchant's API key. */
export async function askJson(
  { apiUrl, apiKey }: Pick<World, 'apiUrl' | 'apiKey'>,
  method: string,
  path: string,
  body?: object,
): Promise<JsonAnswer> {
  const response = await fetch(`${apiUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
