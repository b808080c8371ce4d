/** An event as the live API tells it. */
export interface LiveEvent {
  readonly id: string;
  readonly type: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly sequence: number | null;
  readonly data: { readonly [key: string]: unknown };
}
