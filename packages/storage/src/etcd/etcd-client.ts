import type { Runtime } from "@coxswain/runtime";
import {
  createGrpcClient,
  type GrpcClient,
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
  /** Connections and time limits live by its `ioClock`. */
  readonly runtime: Runtime;
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

type EtcdStreamOptions<Res extends MessageType> = Pick<StreamOptions<Res>, "onMessage" | "signal"> & {
  readonly requireLeader?: boolean;
};

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
    options: EtcdStreamOptions<Res>,
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

export const createEtcdClient = (options: EtcdClientOptions): EtcdClient => new RepeatingClient(options);

class RepeatingClient implements EtcdClient {
  readonly prefix: string;
  readonly #options: EtcdClientOptions;
  readonly #runtime: Runtime;
  readonly #grpc: GrpcClient;
  #closed = false;
  #token: Promise<string> | undefined;
  /** Of the first answer. */
  #clusterId: bigint | undefined;

  constructor(options: EtcdClientOptions) {
    const { runtime } = options;
    this.prefix = options.prefix ?? "";
    this.#options = options;
    this.#runtime = runtime;
    this.#grpc = createGrpcClient({
      ...options,
      clock: runtime.ioClock,
      random: runtime.random,
      endpoints: shuffled(options.endpoints, runtime.random),
      maxMessageBytes,
      baseBackoffMs: 50,
      maxBackoffMs: 2000,
    });
  }

  async call<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    request: Encodable<Req>,
    { kind, signal, timeoutMs = this.#requestTimeoutMs }: CallSettings,
  ): Promise<Decoded<Res>> {
    const { ioClock } = this.#runtime;
    const deadline = ioClock.monotonic() + timeoutMs;
    let earlier: unknown;
    for (let attempt = 0; ; attempt += 1) {
      this.#assertOpen(signal);
      let answer: Decoded<Res>;
      try {
        answer = await this.#loggedIn((metadata) =>
          this.#grpc.unary(method, request, {
            metadata,
            signal,
            timeoutMs: Math.max(1, deadline - ioClock.monotonic()),
          }),
        );
      } catch (error) {
        this.#assertOpen(signal);
        // The reason why there was no server is more useful than that the deadline passed.
        if (earlier !== undefined && isLate(error)) throw storeErrorOf(earlier, kind);
        if (!mayRepeat(error, kind) || ioClock.monotonic() >= deadline) throw storeErrorOf(error, kind);
        earlier = error;
        // It answers, but cannot do its work: perhaps another member can.
        if (error instanceof GrpcError && !error.neverSent) this.leaveEndpoint();
        await this.pause(attempt, signal);
        continue;
      }
      this.#checkCluster(answer, kind);
      return answer;
    }
  }

  async stream<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    { requireLeader, ...options }: EtcdStreamOptions<Res>,
  ): Promise<GrpcStream<Req>> {
    this.#assertOpen(options.signal);
    return this.#loggedIn((metadata) => this.#grpc.stream(method, { ...options, metadata }), requireLeader);
  }

  pause(attempt: number, signal?: AbortSignal): Promise<void> {
    const { ioClock, random } = this.#runtime;
    return new Promise((resolve) => {
      const done = (): void => {
        timer.cancel();
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = ioClock.setTimer(Math.min(500, 25 * 2 ** attempt) * (0.5 + random.next() / 2), done);
      signal?.addEventListener("abort", done, { once: true });
    });
  }

  leaveEndpoint(): void {
    if (this.#options.endpoints.length > 1) this.#grpc.leaveEndpoint();
  }

  forgetLogin(): void {
    this.#token = undefined;
  }

  close(): Promise<void> {
    this.#closed = true;
    return this.#grpc.close();
  }

  get #requestTimeoutMs(): number {
    return this.#options.requestTimeoutMs ?? 10_000;
  }

  /**
   * Another cluster behind the same address (a name that moved, a backup restored beside the server) has revisions that mean something
   * else. Without this, objects of both would be served as one cluster's.
   */
  #checkCluster(answer: unknown, kind: "read" | "write"): void {
    const { clusterId } = (answer as { readonly header?: { readonly clusterId?: bigint } }).header ?? {};
    if (clusterId === undefined || clusterId === 0n) return;
    this.#clusterId ??= clusterId;
    if (clusterId === this.#clusterId) return;
    const name = (id: bigint): string => BigInt.asUintN(64, id).toString(16);
    const message = `etcd's cluster is ${name(clusterId)}, but was ${name(this.#clusterId)} before: it is another one`;
    throw new StoreError(kind === "read" ? "expired" : "outcome-unknown", message);
  }

  #assertOpen(signal: AbortSignal | undefined): void {
    if (this.#closed) throw new StoreError("closed", "the store is closed");
    signal?.throwIfAborted();
  }

  /** A token that ran out is replaced once. */
  async #loggedIn<T>(work: (metadata: Metadata) => Promise<T>, requireLeader = false): Promise<T> {
    if (!this.#options.user) return work(requireLeader ? withLeader : noMetadata);
    try {
      return await work(await this.#metadata(requireLeader));
    } catch (error) {
      if (!hasGrpcCode(error, "UNAUTHENTICATED")) throw error;
      this.forgetLogin();
      return work(await this.#metadata(requireLeader));
    }
  }

  async #metadata(requireLeader: boolean): Promise<Metadata> {
    this.#token ??= this.#logIn().catch((error: unknown) => {
      this.forgetLogin();
      throw error;
    });
    return new Map([...(requireLeader ? withLeader : noMetadata), ["token", await this.#token]]);
  }

  async #logIn(): Promise<string> {
    const answer = await this.#grpc.unary(rpc.authenticate, this.#options.user!, { timeoutMs: this.#requestTimeoutMs });
    return answer.token;
  }
}

const isLate = (error: unknown): boolean =>
  error instanceof GrpcError && error.code === "DEADLINE_EXCEEDED" && error.neverSent;

/** Several servers over one etcd should not all sit on its first member. */
function shuffled(endpoints: readonly string[], random: Runtime["random"]): string[] {
  const start = Math.floor(random.next() * endpoints.length);
  return endpoints.map((_, index) => endpoints[(start + index) % endpoints.length]!);
}
