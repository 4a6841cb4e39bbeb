/** The same on every machine. */
export const ports = { etcd: 2379, peer: 2380, server: 6443 } as const;
