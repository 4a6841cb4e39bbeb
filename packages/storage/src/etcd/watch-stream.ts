import { GrpcError } from "@coxswain/wire/grpc";
import type { EtcdClient } from "./etcd-client.js";
import type { KeyRange } from "./key-range.js";
import { type EtcdEvent, type EtcdWatchResponse, rpc } from "./rpc.js";

export interface WatchStart extends Partial<KeyRange> {
  readonly key: string;
  /** The first revision of interest. */
  readonly startRevision: number;
  /** What stood there before. */
  readonly previous?: boolean;
  /** Identifies it where a stream has several. */
  readonly watchId?: number;
}

export interface WatchStream {
  create(start: WatchStart): void;
  /** Asks how far the watches have come: etcd answers with an empty response. */
  askProgress(): void;
  cancel(): void;
  /** Rejects with a GrpcError when the stream is lost. */
  readonly done: Promise<void>;
}

/** @param onResponse called synchronously; events that etcd sent in fragments are put together first */
export async function openWatchStream(
  client: EtcdClient,
  onResponse: (response: EtcdWatchResponse) => void,
  signal?: AbortSignal,
): Promise<WatchStream> {
  const fragments = new Map<number, EtcdEvent[]>();
  const stream = await client.stream(rpc.watch, {
    requireLeader: true,
    signal,
    onMessage(response) {
      const { watchId, fragment, events } = response;
      const earlier = fragments.get(watchId);
      if (fragment) {
        fragments.set(watchId, earlier ? [...earlier, ...events] : [...events]);
        return;
      }
      fragments.delete(watchId);
      onResponse(earlier ? { ...response, events: [...earlier, ...events] } : response);
    },
  });
  return {
    create: ({ rangeEnd = new Uint8Array(0), ...start }) =>
      void stream.send({ create: { ...start, rangeEnd, fragment: true, progressNotify: true } }),
    askProgress: () => void stream.send({ progress: {} }),
    cancel: () => stream.cancel(),
    done: stream.done.then(() => {
      throw new GrpcError("UNAVAILABLE", "etcd ended the watch");
    }),
  };
}

/** Opens a watch, waits for a response that will do, and closes it again. */
export async function watchOnce(
  client: EtcdClient,
  start: WatchStart,
  willDo: (response: EtcdWatchResponse) => boolean,
  signal?: AbortSignal,
): Promise<EtcdWatchResponse> {
  let found: (response: EtcdWatchResponse) => void;
  const response = new Promise<EtcdWatchResponse>((resolve) => (found = resolve));
  const stream = await openWatchStream(client, (received) => willDo(received) && found(received), signal);
  stream.create(start);
  try {
    return await Promise.race([response, stream.done.then(() => response)]);
  } finally {
    stream.done.catch(() => undefined);
    stream.cancel();
  }
}
