/** Places for work under way, of which one client gets a part: a client that floods the server is refused, and others are not. */
export interface ClientShares {
  /** Whether there was a place; the caller gives it back by `release`. */
  take(client: string): boolean;
  release(client: string): void;
}

export function createClientShares(limits: { readonly total: number; readonly perClient: number }): ClientShares {
  const byClient = new Map<string, number>();
  let total = 0;
  return {
    take(client) {
      const taken = byClient.get(client) ?? 0;
      if (total >= limits.total || taken >= limits.perClient) return false;
      total++;
      byClient.set(client, taken + 1);
      return true;
    },
    release(client) {
      total--;
      const left = (byClient.get(client) ?? 1) - 1;
      if (left === 0) byClient.delete(client);
      else byClient.set(client, left);
    },
  };
}
