/** The response is HTTP, but not a valid response to a webhook. */
export class UnusableAnswerError extends Error {
  override name = 'UnusableAnswerError';
  /** Null without a final response. */
  readonly statusCode: number | null;

  /** `message` is shown to the merchant. */
  constructor(message: string, statusCode: number | null) {
    super(message);
    this.statusCode = statusCode;
  }
}
