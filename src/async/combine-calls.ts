/** Maximum questions per call. Further questions wait for the next call. */
const MAX_QUESTIONS = 200;

interface Waiting<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Combines many questions into one call: questions of one turn of the event loop share a call, and
 * questions that arrive during a call share the next one. A call begins after all of its questions
 * have arrived, so every answer is as recent as that of a separate call.
 *
 * @param ask returns answers in the order of the questions; if it fails, all questions of the call
 *   fail
 */
export function combineCalls<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isCalling = false;
  const callForAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, MAX_QUESTIONS);
      try {
        const answers = await ask(batch.map(({ question }) => question));
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isCalling = false;
  };
  return (question) =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (isCalling) return;
      isCalling = true;
      setImmediate(() => void callForAll());
    });
}
