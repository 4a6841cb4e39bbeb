// Several processes run this; one of them works at a time, and another takes over when it stops or dies.
import type { Client } from "@coxswain/client";
import { createLeaderElector, createLeaseLock, LeadershipLostError } from "@coxswain/client/leader-election";

export async function runWorker(
  client: Client,
  { identity, work, signal }: { identity: string; work: (signal: AbortSignal) => Promise<void>; signal: AbortSignal },
): Promise<void> {
  const namespace = "default";
  const lock = createLeaseLock({
    leases: client.coordination.v1.leases(namespace),
    namespace,
    name: "worker",
    identity,
  });
  while (!signal.aborted) {
    // The lease is held until `lead` has ended, then released: nobody waits for it to expire.
    const elector = createLeaderElector({ lock, lead: (leadership) => work(leadership.signal) });
    try {
      await elector.run(signal);
    } catch (error) {
      if (!(error instanceof LeadershipLostError)) throw error;
      console.error(`${identity}: ${error.message}; standing again`);
    }
  }
}
