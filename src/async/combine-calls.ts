/** Maximum questions per call; further ones go with the next call. */
const MAX_QUESTIONS = 200;

interface Waiting<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Combines many questions into one call: questions that arrive during a call share the next one. A
 * single question never waits. A call begins only after its last question arrived, so every answer
 * is as fresh as a separate one.
 *
 * @param ask returns answers in the order of the questions; if it fails, all questions of the call
 *   fail
 */
export function combineCalls<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAsking = false;
  const askAll = async () => {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting.splice(0, MAX_QUESTIONS);
      try {
        const answers = await ask(asked.map(({ question }) => question));
        for (const [index, { resolve }] of asked.entries()) resolve(answers[index] as Answer);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    isAsking = false;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (!isAsking) void askAll();
    });
}
