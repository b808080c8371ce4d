import { combineCalls } from '../async/combine-calls.ts';
import type { Db } from './db.ts';

/**
 * Combines the questions of concurrent requests into one query of each database client, as
 * `combineCalls` does.
 *
 * @param ask returns answers in the order of the questions
 */
export function combineQueries<Question, Answer>(
  ask: (db: Db, questions: readonly Question[]) => Promise<readonly Answer[]>,
): (db: Db, question: Question) => Promise<Answer> {
  const askers = new WeakMap<Db, (question: Question) => Promise<Answer>>();
  return (db, question) => {
    const asker = askers.get(db) ?? combineCalls((questions: readonly Question[]) => ask(db, questions));
    askers.set(db, asker);
    return asker(question);
  };
}
