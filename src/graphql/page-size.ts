/** Rows of a page by cursor where no number is asked for, and at most; as by number in `domain/merchant/page.ts`. */
export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;
