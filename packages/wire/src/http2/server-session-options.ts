import type { Clock } from "@coxswain/runtime/clock";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { SessionSizes } from "./server-limits.js";
import type { ServerStream } from "./server-stream.js";

export interface ServerSessionOptions {
  /** SETTINGS_MAX_CONCURRENT_STREAMS. */
  readonly maxStreams: number;
  /** @default as kube-apiserver has them */
  readonly sizes?: SessionSizes;
  readonly clock: Clock;
  /** Shared with other connections. */
  readonly scheduler: Pick<Scheduler, "schedule">;
  readonly onRequest: (stream: ServerStream) => void;
  /** A request to be refused with this status: its headers are too long and were not kept (431), or are not valid in HTTP/2 (400). */
  readonly onRefused: (stream: ServerStream, status: 400 | 431, why: string) => void;
  /** Once, when the connection is gone. */
  readonly onClose: () => void;
}
