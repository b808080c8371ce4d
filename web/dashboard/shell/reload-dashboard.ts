import { basePath } from '../../shared/api/environment.ts';

/** Reloads the dashboard at its start page, so no data of the previous merchant stays in memory. */
export function reloadDashboard(): void {
  location.assign(`${basePath}/`);
}
