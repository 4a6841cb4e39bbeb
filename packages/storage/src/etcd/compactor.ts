import type { Clock } from "@coxswain/runtime/clock";
import type { Logger } from "@coxswain/runtime/log";
import type { EtcdClient } from "./etcd-client.js";
import { comparison, rpc } from "./rpc.js";

/** kube-apiserver's key for the same purpose: of the servers over one etcd, of both kinds, one compacts in each interval. */
const key = "compact_rev_key";

export interface CompactorOptions {
  readonly client: EtcdClient;
  readonly clock: Clock;
  readonly intervalMs: number;
  readonly compact: (revision: number) => Promise<void>;
  readonly log: Pick<Logger, "warn">;
}

/**
 * Forgets, every interval, what is older than one. Of several servers the one that comes first does it: the key's version
 * counts the rounds, and who finds another than expected only takes note of the count.
 */
export function startCompactor(options: CompactorOptions): { stop(): void } {
  const { clock, intervalMs, compact, log } = options;
  let timer: { cancel(): void };
  let stopped = false;
  let round = { version: 0, revision: 0 };
  const tick = async (): Promise<void> => {
    try {
      const { won, next } = await takeTurn(options.client, round);
      if (won && round.revision > 0) await compact(round.revision);
      round = next;
    } catch (error) {
      if (!stopped) log.warn("etcd could not be compacted; the next round tries again", { error });
    }
    if (!stopped) arm();
  };
  const arm = (): void => void (timer = clock.setTimer(intervalMs, () => void tick()));
  arm();
  return {
    stop() {
      stopped = true;
      timer.cancel();
    },
  };
}

async function takeTurn(
  client: EtcdClient,
  { version, revision }: { version: number; revision: number },
): Promise<{ won: boolean; next: { version: number; revision: number } }> {
  const { header, succeeded, responses } = await client.call(
    rpc.transaction,
    {
      compare: [{ result: comparison.equal, target: comparison.version, key, version }],
      success: [{ put: { key, value: Buffer.from(String(revision)), lease: 0n } }],
      failure: [{ range: { key } }],
    },
    { kind: "write" },
  );
  const counted = succeeded ? version + 1 : (responses[0]?.range?.keyValues[0]?.version ?? 0);
  return { won: succeeded, next: { version: counted, revision: header!.revision } };
}
