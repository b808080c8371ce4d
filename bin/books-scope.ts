import { type Command, InvalidArgumentError } from 'commander';
import type { Environment } from '../src/generated/prisma/client.ts';
import { parseEnvironment } from './arguments.ts';

export interface BooksFlags {
  readonly environment?: Environment;
  readonly merchant?: string;
}

/** The options that select the books of a command; default all. */
export function withBooksScope(command: Command): Command {
  return command
    .option('--environment <name>', 'test or live (default: all that are configured)', parseEnvironment)
    .option('--merchant <id>', "one merchant's books (default: all)", parseMerchantId);
}

function parseMerchantId(text: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) {
    throw new InvalidArgumentError("Not a merchant's id, which is a UUID.");
  }
  return text.toLowerCase();
}
