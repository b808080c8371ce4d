/** More than anybody asks at once; what is beyond goes with the call after. */
const MOST = 200;

interface Waiting<Question, Answer> {
  readonly question: Question;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/**
 * Makes one call of many questions: those that come while a call is under way go with the next one, all together. Alone, a
 * question waits for nobody; the busier it gets, the more of them share a call. No call begins before its last question came,
 * so that every answer is as fresh as if it had been asked for alone.
 *
 * @param ask answers in the order of the questions; where it fails, all that went with it fail
 */
export function gathered<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
): (question: Question) => Promise<Answer> {
  const waiting: Waiting<Question, Answer>[] = [];
  let isAsking = false;
  const askAll = async () => {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting.splice(0, MOST);
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
