import { hash } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { validEmail } from '../../domain/kernel/input/valid-text.ts';
import { LINK_MINUTES, linkRequestOf, signInByLink } from '../../domain/portal/portal-link.ts';
import { type OpenedPortal, signOutOfPortal } from '../../domain/portal/portal-session.ts';
import { requestPortalLinks } from '../../domain/portal/request-links.ts';
import { portalSignInInput, signInToPortal } from '../../domain/portal/sign-in-to-portal.ts';
import { invalidRequest } from '../../errors.ts';
import { networkOf } from '../access/caller-address.ts';
import { linkRequestCookie, linkRequestToken, portalCookie } from '../access/session-cookie.ts';
import type { GraphqlServer } from '../graphql/context.ts';
import { takeOrRefuse } from '../http/take-or-refuse.ts';
import { PORTAL_LINKS, PORTAL_MAILS } from '../rate-limit/rate-limit.ts';
import { exactObject } from '../rest/exact-object.ts';
import { HIDDEN } from '../rest/hidden-route.ts';
import { jsonBody } from '../rest/responses.ts';
import type { LinkAnswer, SessionAnswer } from './answers.ts';
import { describeMerchant } from './describe.ts';
import type { PortalEnv } from './portal-access.ts';

/** Schema of bytes in base64. */
const bytes = z
  .base64()
  .max(8_192)
  .transform((text) => new Uint8Array(Buffer.from(text, 'base64')));

const session = createRoute({ ...HIDDEN, method: 'get', path: '/api/portal/session' });

const walletInput = createRoute({
  ...HIDDEN,
  method: 'post',
  path: '/api/portal/wallet/input',
  request: { body: jsonBody(exactObject({ address: z.string().nullish() })) },
});

const wallet = createRoute({
  ...HIDDEN,
  method: 'post',
  path: '/api/portal/wallet',
  request: { body: jsonBody(exactObject({ address: z.string(), signedMessage: bytes, signature: bytes })) },
});

const link = createRoute({
  ...HIDDEN,
  method: 'post',
  path: '/api/portal/link',
  request: { body: jsonBody(exactObject({ token: z.string().max(100), confirmed: z.boolean().nullish() })) },
});

const email = createRoute({
  ...HIDDEN,
  method: 'post',
  path: '/api/portal/email',
  request: { body: jsonBody(exactObject({ email: z.string() })) },
});

const signOut = createRoute({
  ...HIDDEN,
  method: 'post',
  path: '/api/portal/sign-out',
  request: { body: jsonBody(exactObject({})) },
});

/**
 * Adds the routes that sign a customer in and out of the portal, and return the signed-in customer.
 */
export function routePortalSignIn(router: OpenAPIHono<PortalEnv>, { app: ctx, limits }: GraphqlServer): void {
  /**
   * Begins a portal session and ends the browser's earlier one. Its cookie is replaced, so nobody
   * could sign out of it later.
   */
  async function enter(c: Context<PortalEnv>, opened: OpenedPortal): Promise<void> {
    const previous = c.get('portal');
    if (previous) await signOutOfPortal(ctx, previous);
    c.header('Set-Cookie', portalCookie(ctx.config, opened), { append: true });
  }

  router.openapi(session, async (c) => {
    const caller = c.get('portal');
    const holder = caller?.holder;
    const merchant =
      holder && holder.kind !== 'wallet'
        ? await ctx.db.merchant.findUniqueOrThrow({ where: { id: holder.merchantId } })
        : undefined;
    const answer: SessionAnswer = {
      session: caller
        ? {
            flow: caller.flow,
            returnUrl: caller.returnUrl,
            walletAddress: holder?.kind === 'wallet' ? holder.walletAddress : null,
            merchant: merchant ? describeMerchant(merchant) : null,
          }
        : null,
      hasEmail: ctx.config.mail !== undefined,
      now: ctx.clock.now().toISOString(),
    };
    return c.json(answer);
  });
  router.openapi(walletInput, async (c) =>
    c.json(await portalSignInInput(ctx, c.req.valid('json').address ?? undefined)),
  );
  router.openapi(wallet, async (c) => {
    await enter(c, await signInToPortal(ctx, c.req.valid('json')));
    return c.json({});
  });
  router.openapi(link, async (c) => {
    const { token, confirmed } = c.req.valid('json');
    const opened = await signInByLink(ctx, token, {
      caller: c.get('portal'),
      request: linkRequestToken(ctx.config, c.req.header('cookie') ?? ''),
      isConfirmed: confirmed === true,
    });
    if ('token' in opened) {
      c.header('Set-Cookie', linkRequestCookie(ctx.config, null), { append: true });
      await enter(c, opened);
      return c.json({ question: null } satisfies LinkAnswer);
    }
    const { merchant, email, replacesSession } = opened;
    return c.json({
      question: { merchant: describeMerchant(merchant), email, replacesSession },
    } satisfies LinkAnswer);
  });
  router.openapi(email, async (c) => {
    if (!ctx.config.mail)
      throw invalidRequest('email', 'This service sends no mails. Sign in with your wallet.');
    const address = validEmail('email', c.req.valid('json').email);
    await takeOrRefuse(c, limits, PORTAL_LINKS, networkOf(c.get('address')));
    // A link that this browser asked for signs in without a question.
    const mark = { token: linkRequestOf(ctx, address), maxAgeSeconds: LINK_MINUTES * 60 };
    c.header('Set-Cookie', linkRequestCookie(ctx.config, mark));
    // Unknown email addresses are counted too.
    const { allowed } = await limits.take(PORTAL_MAILS, hash('sha256', address.toLowerCase()));
    // The response does not wait for the search: its time would show whether the address is known.
    if (allowed)
      void requestPortalLinks(ctx, address).catch((err: unknown) => {
        ctx.log.error({ err, requestId: c.get('requestId') }, 'portal links not mailed');
      });
    return c.json({});
  });
  router.openapi(signOut, async (c) => {
    const caller = c.get('portal');
    if (caller) await signOutOfPortal(ctx, caller);
    c.header('Set-Cookie', portalCookie(ctx.config, null));
    return c.json({});
  });
}
