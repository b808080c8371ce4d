import type { BrowserContext } from 'playwright-core';

/** Sends requests to the API as the member who is signed in to a browser. */
export interface MemberClient {
  /** The origin of the service's URLs. */
  readonly origin: string;
  ask<Result>(query: string, variables?: object): Promise<Result>;
}

/** @param context a browser in which a member has signed in */
export function createMemberClient(context: BrowserContext, url: string): MemberClient {
  const { origin } = new URL(url);
  return {
    origin,
    async ask(query, variables = {}) {
      const response = await context.request.post(`${origin}/graphql`, {
        data: { query, variables },
        headers: { origin },
        // The service closes a connection after five idle seconds, perhaps while this is sent.
        maxRetries: 1,
      });
      const { data, errors } = await response.json();
      if (errors) throw new Error(`${query}: ${JSON.stringify(errors)}`);
      return data;
    },
  };
}
