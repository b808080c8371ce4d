import type { UncountedPage } from '../../../domain/kernel/paging/numbered-page.ts';
import { builder } from '../builder.ts';

export const Pagination = builder.objectRef<UncountedPage<unknown>['pagination']>('Pagination').implement({
  description: 'Position of a page among all pages.',
  fields: (t) => ({
    page: t.exposeInt('page', { description: 'Number of this page, from 1.' }),
    limit: t.exposeInt('limit', { description: 'Items per page.' }),
    total: t.int({ description: 'Number of items on all pages.', resolve: ({ total }) => total() }),
    pages: t.int({
      description: 'Number of pages.',
      resolve: async ({ total, limit }) => Math.ceil((await total()) / limit),
    }),
  }),
});
