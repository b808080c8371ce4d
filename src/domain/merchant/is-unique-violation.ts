import { Prisma } from '../../generated/prisma/client.ts';

/** The database refused a row because another one has the same key: somebody was first. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
}
