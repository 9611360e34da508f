/** A token of a hub that works. `id`: as its log names it; nobody finds even its digest from there. */
export type HubToken = { id: string; madeAt: number; expiresAt: number | null } & (
  | { member: string; memberId: string; role: string; project: string | null }
  | { machine: string; projects: string[] }
);
