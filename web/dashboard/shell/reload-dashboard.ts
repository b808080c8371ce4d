import { basePath } from '../../shared/api/environment.ts';

/** Loads the dashboard from its start: nothing of the previous merchant stays in memory. */
export function reloadDashboard(): void {
  location.assign(`${basePath}/`);
}
