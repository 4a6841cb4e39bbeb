import type { Clock } from "@coxswain/runtime/clock";
import type { RandomSource } from "@coxswain/runtime/random";
import {
  createGrpcClient,
  GrpcError,
  type GrpcStream,
  hasGrpcCode,
  type Metadata,
  type Method,
  type StreamOptions,
  type TlsOptions,
} from "@coxswain/wire/grpc";
import type { Decoded, Encodable, MessageType } from "@coxswain/wire/protobuf";
import { StoreError } from "../contract/store-error.js";
import { mayRepeat, storeErrorOf } from "./errors.js";
import { rpc } from "./rpc.js";

export interface EtcdClientOptions {
  /** For example `https://10.0.0.1:2379`. Calls go to the first that answers, and to the next when it fails. */
  readonly endpoints: readonly string[];
  readonly tls?: TlsOptions;
  readonly user?: { readonly name: string; readonly password: string };
  /**
   * Where all keys of this store begin. Only those are watched, which spares traffic on an etcd shared with others and is
   * necessary where the user may read no more. etcd before 3.4.31 and 3.5.13 is watched whole in any case. @default ""
   */
  readonly prefix?: string;
  /** Of connections and time limits: always the real time. */
  readonly clock: Clock;
  readonly random: RandomSource;
  /** How long one call may take, with all its repetitions. @default 10000 */
  readonly requestTimeoutMs?: number;
  readonly keepAliveMs?: number;
  readonly keepAliveTimeoutMs?: number;
}

export interface CallSettings {
  /** Reads are repeated while etcd elects or moves; a write only when it certainly was not done. */
  readonly kind: "read" | "write";
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs?: number;
}

/** Calls to etcd: repeated where that is safe, logged in where that is asked for, failing with a StoreError or the signal's reason. */
export interface EtcdClient {
  /** Where all keys begin. */
  readonly prefix: string;
  call<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    request: Encodable<Req>,
    settings: CallSettings,
  ): Promise<Decoded<Res>>;
  stream<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    options: Pick<StreamOptions<Res>, "onMessage" | "signal"> & { requireLeader?: boolean },
  ): Promise<GrpcStream<Req>>;
  /** Resolves after a pause that grows with `attempt`, or at once when aborted. */
  pause(attempt: number, signal?: AbortSignal): Promise<void>;
  leaveEndpoint(): void;
  /** The next call logs in again, for a stream was refused: unlike a call, it does not report the reason at once. */
  forgetLogin(): void;
  close(): Promise<void>;
}

/** As long as the connection lives an answer may be of any size: etcd sends a range in one message. */
const maxMessageBytes = 2 ** 31 - 1;

const noMetadata: Metadata = new Map();
/** A member that has lost its leader ends such a stream, instead of keeping silent. */
const withLeader: Metadata = new Map([["hasleader", "true"]]);

export function createEtcdClient(options: EtcdClientOptions): EtcdClient {
  const { clock, random, user, requestTimeoutMs = 10_000 } = options;
  const grpc = createGrpcClient({
    ...options,
    endpoints: shuffled(options.endpoints, random),
    maxMessageBytes,
    baseBackoffMs: 50,
    maxBackoffMs: 2000,
  });
  let closed = false;
  let token: Promise<string> | undefined;

  const logIn = async (): Promise<string> =>
    (await grpc.unary(rpc.authenticate, user!, { timeoutMs: requestTimeoutMs })).token;
  const metadata = async (requireLeader = false): Promise<Metadata> => {
    token ??= logIn().catch((error: unknown) => {
      token = undefined;
      throw error;
    });
    return new Map([...(requireLeader ? withLeader : noMetadata), ["token", await token]]);
  };
  /** A token that ran out is replaced once. */
  const loggedIn = async <T>(work: (metadata: Metadata) => Promise<T>, requireLeader = false): Promise<T> => {
    if (!user) return work(requireLeader ? withLeader : noMetadata);
    try {
      return await work(await metadata(requireLeader));
    } catch (error) {
      if (!hasGrpcCode(error, "UNAUTHENTICATED")) throw error;
      token = undefined;
      return work(await metadata(requireLeader));
    }
  };
  const pause: EtcdClient["pause"] = (attempt, signal) =>
    new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = clock.setTimer(Math.min(500, 25 * 2 ** attempt) * (0.5 + random.next() / 2), done);
      signal?.addEventListener("abort", done, { once: true });
    });
  const assertOpen = (signal: AbortSignal | undefined): void => {
    if (closed) throw new StoreError("closed", "the store is closed");
    signal?.throwIfAborted();
  };

  return {
    prefix: options.prefix ?? "",
    async call(method, request, { kind, signal, timeoutMs = requestTimeoutMs }) {
      const deadline = clock.monotonic() + timeoutMs;
      let earlier: unknown;
      for (let attempt = 0; ; attempt += 1) {
        assertOpen(signal);
        try {
          return await loggedIn((metadata) =>
            grpc.unary(method, request, { metadata, signal, timeoutMs: Math.max(1, deadline - clock.monotonic()) }),
          );
        } catch (error) {
          assertOpen(signal);
          // The reason why there was no server is more useful than that the deadline passed.
          if (
            earlier !== undefined &&
            error instanceof GrpcError &&
            error.code === "DEADLINE_EXCEEDED" &&
            error.neverSent
          )
            throw storeErrorOf(earlier, kind);
          if (!mayRepeat(error, kind) || clock.monotonic() >= deadline) throw storeErrorOf(error, kind);
          earlier = error;
          // It answers, but cannot do its work: perhaps another member can.
          if (error instanceof GrpcError && !error.neverSent && options.endpoints.length > 1) grpc.leaveEndpoint();
          await pause(attempt, signal);
        }
      }
    },
    async stream(method, { requireLeader, ...streamOptions }) {
      assertOpen(streamOptions.signal);
      return loggedIn((metadata) => grpc.stream(method, { ...streamOptions, metadata }), requireLeader);
    },
    pause,
    forgetLogin: () => void (token = undefined),
    leaveEndpoint() {
      if (options.endpoints.length > 1) grpc.leaveEndpoint();
    },
    close() {
      closed = true;
      return grpc.close();
    },
  };
}

/** Several servers over one etcd should not all sit on its first member. */
function shuffled(endpoints: readonly string[], random: RandomSource): string[] {
  const start = Math.floor(random.next() * endpoints.length);
  return endpoints.map((_, index) => endpoints[(start + index) % endpoints.length]!);
}
