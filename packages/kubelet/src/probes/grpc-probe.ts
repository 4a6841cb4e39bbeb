import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { Runtime } from "@coxswain/runtime";
import { createGrpcClient, type GrpcCode, GrpcError, method } from "@coxswain/wire/grpc";
import { message } from "@coxswain/wire/protobuf";
import { joinHostPort } from "./http-get-request.js";
import type { ProbeResult } from "./probe-result.js";

const HealthCheckRequest = message({ service: { number: 1, type: "string" } });
const HealthCheckResponse = message({ status: { number: 1, type: "enum" } });
/** Of grpc.health.v1: the protocol that health probes speak. */
export const healthCheck = method("/grpc.health.v1.Health/Check", HealthCheckRequest, HealthCheckResponse);

/** HealthCheckResponse.ServingStatus, in the order of the numbers. */
const servingStatuses = ["UNKNOWN", "SERVING", "NOT_SERVING", "SERVICE_UNKNOWN"];

/** Of an answer: a health check is a few bytes, and the server is a stranger. */
const maxMessageBytes = 10 * 1024;

export interface GrpcQuestion {
  readonly host: string;
  readonly port: number;
  readonly service: string;
  readonly timeoutMs: number;
}

/** A health check without TLS (pkg/probe/grpc/grpc.go, Probe). Whatever goes wrong is a failure, never an error. */
export async function probeGrpc(
  { ioClock: clock, random }: Pick<Runtime, "ioClock" | "random">,
  { host, port, service, timeoutMs }: GrpcQuestion,
): Promise<ProbeResult> {
  const address = joinHostPort(host, port);
  const client = createGrpcClient({
    endpoints: [`http://${address}`],
    clock,
    random,
    maxMessageBytes,
    userAgent: "kube-probe/1.36",
    connectTimeoutMs: timeoutMs,
    baseBackoffMs: 1000,
  });
  try {
    // It waits for the server, as upstream's blocking dial does (pkg/probe/grpc/grpc.go, WithBlock).
    const { status } = await client.unary(healthCheck, { service }, { timeoutMs, patient: true });
    if (servingStatuses[status] === "SERVING") return { kind: "success", output: "service healthy" };
    const word = servingStatuses[status] ?? String(status);
    return { kind: "failure", output: `service unhealthy (responded with ${JSON.stringify(word)})` };
  } catch (error) {
    return { kind: "failure", output: explain(error, address, formatDurationMs(timeoutMs)) };
  } finally {
    void client.close();
  }
}

function explain(error: unknown, address: string, timeout: string): string {
  const {
    code,
    message: text,
    neverSent,
  } = error instanceof GrpcError ? error : new GrpcError("UNKNOWN", String(error));
  if (code === "DEADLINE_EXCEEDED" && neverSent)
    return `timeout: failed to connect service ${JSON.stringify(address)} within ${timeout}: context deadline exceeded`;
  if (code === "DEADLINE_EXCEEDED") return `timeout: health rpc did not complete within ${timeout}`;
  if (code === "UNIMPLEMENTED")
    return `error: this server does not implement the grpc health protocol (grpc.health.v1.Health): ${text}`;
  return `error: health rpc probe failed: rpc error: code = ${goName(code)} desc = ${text}`;
}

/** NOT_FOUND as Go writes it: NotFound. */
const goName = (code: GrpcCode): string =>
  code === "CANCELLED"
    ? "Canceled"
    : code
        .toLowerCase()
        .split("_")
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join("");
