import { once } from "node:events";
import { createServer } from "node:net";

/** The loopback networks that clusters of one machine take for their load balancers, each the first that is free. */
export const loopbackRanges: readonly string[] = Array.from({ length: 64 }, (_, at) => `127.${64 + at}.0.0/16`);

export interface ClaimedRange {
  readonly range: string;
  release(): Promise<void>;
}

/**
 * Takes the first of these ranges that no other cluster of this machine has; if all are taken, the first without a claim (ports that
 * are in use are reported one by one then). A claim is a Unix socket in Linux's abstract namespace: the kernel drops it with the
 * process, however that ends, and it belongs to the network namespace just as loopback addresses do.
 */
export async function claimRange(ranges: readonly string[] = loopbackRanges): Promise<ClaimedRange> {
  for (const range of ranges) {
    const server = createServer((socket) => socket.destroy()).unref();
    const listening = once(server, "listening");
    server.listen({ path: `\0coxswain/load-balancers/${range}` });
    const isOurs = await listening.then(
      () => true,
      () => false, // taken
    );
    if (isOurs) return { range, release: () => new Promise((resolve) => server.close(() => resolve())) };
  }
  return { range: ranges[0] ?? "127.0.0.1", release: async () => {} };
}
