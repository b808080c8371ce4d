import type { UncountedPage } from '../../domain/merchant/page.ts';
import { builder } from '../builder.ts';

export const Pagination = builder.objectRef<UncountedPage<unknown>['pagination']>('Pagination').implement({
  description: 'Where a page is among all.',
  fields: (t) => ({
    page: t.exposeInt('page', { description: 'This page, from 1.' }),
    limit: t.exposeInt('limit', { description: 'Rows a page.' }),
    total: t.int({ description: 'Rows in all.', resolve: ({ total }) => total() }),
    pages: t.int({
      description: 'Pages in all.',
      resolve: async ({ total, limit }) => Math.ceil((await total()) / limit),
    }),
  }),
});
