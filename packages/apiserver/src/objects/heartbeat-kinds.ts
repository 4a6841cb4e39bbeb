/**
 * Leases are how nodes and leaders show that they live: one that is renewed late is taken for dead, however well it works. Upstream has
 * priority levels of their own for them (node-high, leader-election); in one process they also go ahead of other writes in the store.
 */
export const isHeartbeat = ({ group, resource }: { readonly group: string; readonly resource: string }): boolean =>
  resource === "leases" && group === "coordination.k8s.io";
