import { environment } from '../api/environment.ts';

/** Code to copy. */
export interface Sample {
  /** The language, or the name of the file. */
  readonly name: string;
  readonly code: string;
}

/** The variable that samples read the API key from: `DUES_TEST_KEY`. */
export const KEY_VARIABLE = `DUES_${environment.toUpperCase()}_KEY`;

/** How a backend opens a checkout, in several languages. */
export function checkoutSamples(planId: string): readonly Sample[] {
  const request = {
    planId,
    customerEmail: 'ada@example.com',
    customerId: 'user_42',
    successUrl: 'https://your-site.example/welcome',
  };
  const { origin } = location;
  return [
    {
      name: 'curl',
      code: [
        `curl ${origin}/checkout/create \\`,
        `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
        "  -H 'Content-Type: application/json' \\",
        `  -d '${JSON.stringify(request, null, 2).replaceAll("'", String.raw`'\''`).replaceAll('\n', '\n     ')}'`,
        '',
        '# {"sessionId":"...","url":"...","expiresAt":"..."}: send the customer to url',
      ].join('\n'),
    },
    {
      name: 'TypeScript',
      code: [
        "import { createDuesClient } from 'dues/client';",
        '',
        'const dues = createDuesClient({',
        `  url: '${origin}',`,
        `  apiKey: process.env.${KEY_VARIABLE},`,
        '});',
        'const { url } = await dues.createCheckoutSession({',
        ...Object.entries(request).map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`),
        '});',
        'response.redirect(303, url);',
      ].join('\n'),
    },
    {
      name: 'Python',
      code: [
        'import os, requests',
        '',
        'response = requests.post(',
        `    "${origin}/checkout/create",`,
        `    headers={"Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"]},`,
        '    json={',
        ...Object.entries(request).map(
          ([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`,
        ),
        '    },',
        ')',
        'url = response.json()["url"]  # send the customer there',
      ].join('\n'),
    },
  ];
}

/** A first request with a new key. */
export function keySamples(apiKey: string): readonly Sample[] {
  return [
    {
      name: 'curl',
      code: [
        `export ${KEY_VARIABLE}=${apiKey}`,
        `curl ${location.origin}/graphql \\`,
        `  -H "Authorization: Bearer $${KEY_VARIABLE}" \\`,
        "  -H 'Content-Type: application/json' \\",
        `  -d '{"query":"{ merchant { companyName } }"}'`,
      ].join('\n'),
    },
    { name: '.env', code: `${KEY_VARIABLE}=${apiKey}` },
  ];
}

/** A server that receives webhooks, and verifies that they come from dues. */
export const WEBHOOK_SAMPLES: readonly Sample[] = [
  {
    name: 'TypeScript',
    code: [
      "import { verifyWebhook } from 'dues/client';",
      '',
      "app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {",
      '  // The bytes as they came: they are what is signed.',
      '  const event = verifyWebhook(request.body, request.headers, process.env.DUES_WEBHOOK_SECRET);',
      "  if (event.event === 'subscription.created') giveAccess(event.data);",
      '  // Only if startedAt is that of the newest subscription with this subscriptionId.',
      "  if (event.event === 'subscription.expired') endAccess(event.data);",
      '  response.sendStatus(200);',
      '});',
    ].join('\n'),
  },
  { name: 'On your machine', code: 'npx dues listen --forward-to http://localhost:4000/webhooks' },
];
