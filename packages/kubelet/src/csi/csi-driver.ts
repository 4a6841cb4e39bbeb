import type { Runtime } from "@coxswain/runtime";
import { createGrpcClient, type GrpcCode, GrpcError, type Method } from "@coxswain/wire/grpc";
import type { Decoded, Encodable, MessageType } from "@coxswain/wire/protobuf";
import { type NodeServiceCapabilityRPCType, node } from "../gen/csi.js";

export type NodeCapability = keyof typeof NodeServiceCapabilityRPCType;

/** A call to a driver that failed, as Go prints it. */
export class CsiError extends Error {
  override readonly name = "CsiError";
  readonly code: GrpcCode;

  constructor({ code, message, cause }: GrpcError) {
    super(`rpc error: code = ${goName(code)} desc = ${message}`, { cause });
    this.code = code;
  }

  /** Whether nothing of it goes on in the driver. Upstream's `isFinalError` (pkg/volume/csi/csi_client.go). */
  get isFinal(): boolean {
    return !["CANCELLED", "DEADLINE_EXCEEDED", "UNAVAILABLE", "RESOURCE_EXHAUSTED", "ABORTED"].includes(this.code);
  }
}

/** `NOT_FOUND` is `NotFound`; Go's one exception is `Canceled`. */
const goName = (code: GrpcCode): string =>
  code === "CANCELLED"
    ? "Canceled"
    : code
        .split("_")
        .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
        .join("");

/** A storage driver that is registered on this node. */
export interface CsiDriver {
  readonly name: string;
  /** The newest version of CSI that it speaks, as numbers. */
  readonly version: readonly number[];
  /** @throws CsiError */
  call<Req extends MessageType, Res extends MessageType>(
    method: Method<Req, Res>,
    request: Encodable<Req>,
  ): Promise<Decoded<Res>>;
  /** What its Node service can do, asked anew each time: a driver may be replaced behind its socket. */
  capabilities(): Promise<ReadonlySet<number>>;
  close(): Promise<void>;
}

/** Upstream's csiTimeout. */
const timeoutMs = 120_000;
/** Answers are small; a driver is another program. */
const maxMessageBytes = 4 * 1024 * 1024;

export function connectDriver(
  { name, endpoint, version }: Pick<CsiDriver, "name" | "version"> & { readonly endpoint: string },
  runtime: Pick<Runtime, "ioClock" | "random">,
): CsiDriver {
  const grpc = createGrpcClient({
    endpoints: [endpoint.startsWith("unix:") ? endpoint : `unix://${endpoint}`],
    clock: runtime.ioClock,
    random: runtime.random,
    maxMessageBytes,
  });
  const call: CsiDriver["call"] = async (method, request) => {
    try {
      return await grpc.unary(method, request, { timeoutMs });
    } catch (error) {
      throw error instanceof GrpcError ? new CsiError(error) : error;
    }
  };
  return {
    name,
    version,
    call,
    async capabilities() {
      const { capabilities } = await call(node.nodeGetCapabilities, {});
      return new Set(capabilities.flatMap(({ rpc }) => (rpc ? [rpc.type] : [])));
    },
    close: () => grpc.close(),
  };
}
