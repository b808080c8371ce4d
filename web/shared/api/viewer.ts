import { type QueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { ViewerQuery } from '../../generated/graphql.ts';
import { graphql } from './graphql.ts';
import { askOptions } from './query.ts';

const VIEWER_DOCUMENT = graphql(/* GraphQL */ `
  query Viewer {
    viewer {
      memberId
      walletAddress
      role
      merchantId
      merchant {
        companyName
        logoUrl
        walletAddress
      }
      uncheckedRestore {
        number
        lostFrom
        lostUntil
        isCollecting
      }
      memberships {
        merchantId
        role
        merchant {
          companyName
        }
      }
    }
  }
`);

/** The key of the viewer's query. */
export const VIEWER = 'Viewer';

export type ViewerData = NonNullable<ViewerQuery['viewer']>;

const viewerOptions = {
  ...askOptions(VIEWER_DOCUMENT, {}, { live: ['service.restored'] }),
  staleTime: 60_000,
};

/** The signed-in member, or null. */
export async function readViewer(client: QueryClient): Promise<ViewerData | null> {
  return (await client.ensureQueryData(viewerOptions)).viewer;
}

/** The signed-in member, for pages that require a sign-in. */
export function useViewer(): ViewerData {
  const { viewer } = useSuspenseQuery(viewerOptions).data;
  if (!viewer) throw new Error('Nobody is signed in.');
  return viewer;
}

/** The permissions of the viewer's role. Disable everything else, and say why. */
export function usePermissions(): { readonly write: boolean; readonly own: boolean } {
  const { role } = useViewer();
  return { write: role !== 'READ_ONLY', own: role === 'OWNER' };
}
