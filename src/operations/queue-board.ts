import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { HonoAdapter } from '@bull-board/hono';
import { getRequestListener, type HttpBindings } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Queue } from 'bullmq';
import { type Context, Hono } from 'hono';
import { basicAuth } from 'hono/basic-auth';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { secureHeaders } from 'hono/secure-headers';
import type { QueueBoardConfig } from '../config/operations-config.ts';
import type { Jobs } from '../jobs/jobs.ts';
import { GuessLimit } from './guess-limit.ts';

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/**
 * Bull Board for all job queues at `path`, behind basic authentication. Without `allowsActions` it
 * is read-only and refuses every request that would change a job. The first authenticated request
 * opens the queues.
 */
export function queueBoard(
  jobs: Jobs,
  { user, password, allowsActions }: QueueBoardConfig,
  path: string,
): RequestHandler {
  let opening: Promise<Hono> | undefined;
  const open = () => {
    opening ??= openBoard(jobs, allowsActions, path).catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const guesses = new GuessLimit();
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.use(secureHeaders());
  app.use(
    basicAuth({
      realm: 'dues queues',
      verifyUser: (name, guess, { env }: Context<{ Bindings: HttpBindings }>) => {
        // Both are compared, so that the time does not show which one is wrong.
        const isUser = isSame(name, user);
        const isRight = isSame(guess, password) && isUser;
        if (isRight) return true;
        const seconds = guesses.countWrongLogin(env.incoming.socket.remoteAddress ?? 'unknown');
        if (seconds !== undefined) throw tooManyGuesses(seconds);
        return false;
      },
    }),
  );
  // A browser also sends a saved login with requests that other sites cause.
  app.use(csrf());
  app.all('*', async (c) => {
    const board = await open().catch(() => undefined);
    return board ? board.fetch(c.req.raw) : c.json({ status: 'the job store cannot be reached' }, 503);
  });
  const listener = getRequestListener(app.fetch);
  return async (request, response) => listener(request, response);
}

/** Compares texts in a time that does not depend on their contents. */
function isSame(text: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', text, 'buffer'), hash('sha256', other, 'buffer'));
}

function tooManyGuesses(seconds: number): HTTPException {
  const headers = { 'Retry-After': `${seconds}` };
  return new HTTPException(429, { res: new Response('Too many wrong logins', { status: 429, headers }) });
}

async function openBoard(jobs: Jobs, allowsActions: boolean, path: string): Promise<Hono> {
  const adapter = new HonoAdapter(serveStatic).setBasePath(path);
  const queues = await jobs.queues();
  createBullBoard({
    // Both stores use BullMQ's Queue; JobQueue is the part of it that dues uses.
    queues: queues.map(({ queue }) => new BullMQAdapter(queue as Queue, { readOnlyMode: !allowsActions })),
    serverAdapter: adapter,
    options: { uiConfig: { boardTitle: 'dues queues' } },
  });
  const board = new Hono();
  board.route(path, adapter.registerPlugin());
  return board;
}
