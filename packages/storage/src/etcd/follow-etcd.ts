import { GrpcError } from "@coxswain/wire/grpc";
import type { KeyEvent } from "../contract/key-value-store.js";
import { StoreError } from "../contract/store-error.js";
import type { EtcdClient } from "./etcd-client.js";
import type { KeyRange } from "./key-range.js";
import { eventOf } from "./record.js";
import type { EtcdWatchResponse } from "./rpc.js";
import { openWatchStream } from "./watch-stream.js";

export interface Following {
  readonly range: KeyRange;
  /** Events after this revision. */
  readonly from: number;
  /** Whether etcd's progress notifications can be used. */
  readonly trustsProgress: boolean;
  /** Ask for progress again and again, for a watch whose events may be long in coming. */
  readonly asksProgress: boolean;
  /** Resolves when aborted. */
  readonly signal: AbortSignal;
  /** The watch is under way; the function asks etcd how far it is. */
  readonly onOpen?: (askProgress: () => void) => void;
}

/**
 * Events of one range, in whole revisions, until the signal is aborted or the connection is lost.
 * @throws StoreError "expired" when history before `from` is compacted, "unavailable" when it is not allowed; GrpcError when the watch is lost
 */
export async function followEtcd(
  client: EtcdClient,
  following: Following,
  onBatch: (events: readonly KeyEvent[], upTo: number) => void,
): Promise<void> {
  const { range, from, trustsProgress, asksProgress, signal, onOpen } = following;
  if (signal.aborted) return;
  let fail: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const onResponse = (response: EtcdWatchResponse): void => {
    if (signal.aborted) return;
    if (response.canceled) fail(whyCanceled(response, from));
    else if (response.events.length > 0)
      onBatch(response.events.map(eventOf), response.events.at(-1)!.keyValue!.modRevision);
    else if (trustsProgress && !response.created) onBatch([], response.header!.revision);
  };
  const stream = await openWatchStream(client, onResponse, signal);
  stream.create({ ...range, startRevision: from + 1, previous: true });
  onOpen?.(() => stream.askProgress());
  const aborted = new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  const asking = asksProgress ? askAgainAndAgain(client, () => stream.askProgress(), signal) : undefined;
  try {
    // The connection, or the login, or nothing that we know of: the next attempt begins with a fresh login.
    failed.catch(() => client.forgetLogin());
    stream.done.catch(() => client.forgetLogin());
    await Promise.race([failed, stream.done, aborted, ...(asking ? [asking] : [])]);
  } finally {
    stream.cancel();
  }
}

async function askAgainAndAgain(client: EtcdClient, ask: () => void, signal: AbortSignal): Promise<void> {
  for (let attempt = 2; !signal.aborted; attempt += 1) {
    await client.pause(attempt, signal);
    if (!signal.aborted) ask();
  }
}

function whyCanceled({ compactRevision, cancelReason }: EtcdWatchResponse, from: number): Error {
  if (compactRevision > 0)
    return new StoreError("expired", `revision ${from} is compacted: history begins at ${compactRevision}`);
  if (cancelReason.includes("permission denied"))
    return new StoreError(
      "unavailable",
      "etcd does not let this user watch: it needs the right to read all keys of the store's prefix (all keys, on etcd before 3.4.31 and 3.5.13)",
    );
  return new GrpcError("UNAVAILABLE", `etcd ended the watch: ${cancelReason || "no reason given"}`);
}
