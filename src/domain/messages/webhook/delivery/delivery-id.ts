import { Prisma } from '../../../../generated/prisma/client.ts';

/**
 * A new UUIDv7 (RFC 9562, 5.7) as an SQL expression: the current millisecond, then random bits. New
 * rows are inserted next to each other at the end of their indexes; random ids would write to
 * another page for every row.
 */
export const newDeliveryId = Prisma.sql`encode(
  set_bit(set_bit(
    overlay(uuid_send(gen_random_uuid())
      PLACING substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
    52, 1), 53, 1),
  'hex')::uuid`;
