/** The last so many uids. */
export interface RecentUids {
  add(uid: string): void;
  has(uid: string): boolean;
}

/** The oldest goes when there are too many. */
export function createRecentUids(limit: number): RecentUids {
  const uids = new Set<string>();
  return {
    add(uid) {
      uids.delete(uid);
      uids.add(uid);
      if (uids.size <= limit) return;
      for (const oldest of uids) {
        uids.delete(oldest);
        break;
      }
    },
    has: (uid) => uids.has(uid),
  };
}
