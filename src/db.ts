import { PrismaPg } from '@prisma/adapter-pg';
import { type Prisma, PrismaClient } from './generated/prisma/client.ts';

/** The database, through Prisma. */
export type Db = PrismaClient;
/** The same inside a transaction: what a use case's helpers take. */
export type DbTransaction = Prisma.TransactionClient;

/** Connections are made when first needed. */
export function connectDb(databaseUrl: string): Db {
  return new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl }) });
}
