import type { Address } from '@solana/kit';
import type { AppContext } from '../src/app.ts';
import type { TouchedAccount } from '../src/chain/touched-accounts.ts';
import type { Environment, Prisma } from '../src/generated/prisma/client.ts';

/** What an update was about, and all that it takes to read it again. */
export type Subject =
  | { readonly kind: 'account'; readonly address: Address; readonly touched?: TouchedAccount }
  | { readonly kind: 'transaction'; readonly signature: string };

export interface Unapplied {
  readonly subject: Subject;
  readonly slot: bigint;
  /** Base64 of the account as it was seen, to find out what is wrong with it. */
  readonly data?: string;
}

/**
 * Keeps what could not be applied, to be read again. One row a subject: what fails again with every update is one
 * thing to look into.
 */
export async function setAside(
  { db, log, clock }: Pick<AppContext, 'db' | 'log' | 'clock'>,
  environment: Environment,
  { subject, slot, data }: Unapplied,
  cause: unknown,
): Promise<void> {
  const error = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
  const payload = { ...subject, ...(data && { data }) } as unknown as Prisma.InputJsonObject;
  const [path, id] =
    subject.kind === 'account' ? ['address', subject.address] : ['signature', subject.signature];
  const row = await db.unappliedUpdate.findFirst({
    where: {
      environment,
      kind: subject.kind,
      resolvedAt: null,
      payload: { path: [path], equals: id },
    },
  });
  const told = { slot, payload, error, createdAt: clock.now() };
  if (row) await db.unappliedUpdate.update({ where: { id: row.id }, data: told });
  else await db.unappliedUpdate.create({ data: { environment, kind: subject.kind, ...told } });
  log.error(
    { err: cause, environment, ...subject, slot: `${slot}` },
    'update could not be applied, set aside',
  );
}
