import { UnrecoverableError } from 'bullmq';
import { z } from 'zod';
import { type JobName, jobDefinition } from './catalog.ts';
import { NotYet } from './not-yet.ts';

/** The key of a payload's version. Version 1 is not written. */
const VERSION_KEY = 'v';
const FIRST_VERSION = 1;
/** Delay before a job is read again that this release cannot read. */
const REREAD_DELAY_MS = 5_000;
/** How long a job waits for a worker of another release. A rollout takes less time. */
const MAX_AGE_MS = 24 * 3_600_000;

/** The stored form of a payload. */
export function writePayload(name: JobName, payload: object): object {
  const { version = FIRST_VERSION } = jobDefinition(name);
  return version === FIRST_VERSION ? payload : { ...payload, [VERSION_KEY]: version };
}

/**
 * Reads a stored payload. The schema of a job also reads the payload of the previous release.
 *
 * @throws NotYet if another release wrote it and this one cannot read it, so that a worker of that
 *   release can run the job
 * @throws UnrecoverableError if it is invalid, or no worker could read it for 24 hours
 */
export function readPayload(name: JobName, job: { readonly data: unknown; readonly timestamp: number }) {
  const { version: supportedVersion = FIRST_VERSION, payload } = jobDefinition(name);
  const { [VERSION_KEY]: version = FIRST_VERSION, ...data } = versioned.parse(job.data);
  const parsed = payload.safeParse(data);
  if (parsed.success && version <= supportedVersion) return parsed.data;
  if (version === supportedVersion && !parsed.success) {
    throw new UnrecoverableError(`payload refused: ${z.prettifyError(parsed.error)}`);
  }
  if (Date.now() - job.timestamp < MAX_AGE_MS) throw new NotYet(REREAD_DELAY_MS);
  throw new UnrecoverableError(`no worker understands version ${version} of this payload`);
}

const versioned = z.looseObject({ [VERSION_KEY]: z.int().optional() });
