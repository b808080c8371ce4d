import { expect } from 'vitest';

/** Sends a GraphQL operation with a key, expects no errors, and returns its data. */
export async function askGraphql<T>(url: string, key: string, query: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
  expect(errors).toBeUndefined();
  return data;
}
