import { UnrecoverableError } from 'bullmq';
import { z } from 'zod';
import { type JobName, jobDefinition } from './catalog.ts';
import { NotYet } from './not-yet.ts';

/** The key of a payload's version. Version 1 is not written. */
const VERSION_KEY = 'v';
const FIRST_VERSION = 1;
/** Delay before a job of an unknown version is read again. */
const LEAVE_MS = 5_000;
/** How long a job waits for a worker of another release. A rollout is over by then. */
const MAX_AGE_MS = 24 * 3_600_000;

/** The stored form of a payload. */
export function writePayload(name: JobName, payload: object): object {
  const { version = FIRST_VERSION } = jobDefinition(name);
  return version === FIRST_VERSION ? payload : { ...payload, [VERSION_KEY]: version };
}

/**
 * Reads a stored payload. A payload of the release before is read by the same schema.
 *
 * @throws NotYet if another release wrote it and this one cannot read it: a worker of that release
 *   must run it
 * @throws UnrecoverableError if it is invalid, or no worker could read it for a day
 */
export function readPayload(name: JobName, job: { readonly data: unknown; readonly timestamp: number }) {
  const { version: ours = FIRST_VERSION, payload } = jobDefinition(name);
  const { [VERSION_KEY]: version = FIRST_VERSION, ...data } = versioned.parse(job.data);
  const parsed = payload.safeParse(data);
  if (parsed.success && version <= ours) return parsed.data;
  if (version === ours && !parsed.success) {
    throw new UnrecoverableError(`payload refused: ${z.prettifyError(parsed.error)}`);
  }
  if (Date.now() - job.timestamp < MAX_AGE_MS) throw new NotYet(LEAVE_MS);
  throw new UnrecoverableError(`no worker understands version ${version} of this payload`);
}

const versioned = z.looseObject({ [VERSION_KEY]: z.int().optional() });
