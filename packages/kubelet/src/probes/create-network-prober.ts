import type { Runtime } from "@coxswain/runtime";
import { probeGrpc } from "./grpc-probe.js";
import { type HttpGetResult, httpGet, plainHttpError } from "./http-get.js";
import { type HttpGetRequest, joinHostPort, planHttpGet } from "./http-get-request.js";
import type { HttpHook, HttpHookResult, NetworkProber, NetworkQuestion } from "./network-prober.js";
import type { ProbeResult } from "./probe-result.js";
import { resolvePort } from "./resolve-port.js";
import { probeTcp } from "./tcp-probe.js";

/** Probes and hooks by connections from the node, for containers that really run. */
export function createNetworkProber(runtime: Pick<Runtime, "ioClock" | "random">): NetworkProber {
  return {
    probe: (question) =>
      ask(runtime, question).catch(({ message }: Error) => ({ kind: "error", state: "unknown", error: message })),
    runHttpHook: (hook, signal) =>
      runHttpHook(runtime, hook, signal).catch(({ message }: Error) => ({ failure: message })),
  };
}

/** As upstream's runProbe (pkg/kubelet/prober/prober.go). @throws Error where a port is not there */
async function ask(
  runtime: Pick<Runtime, "ioClock" | "random">,
  { probe, container, podIP }: NetworkQuestion,
): Promise<ProbeResult> {
  const { httpGet: get, tcpSocket, grpc, timeoutSeconds } = probe;
  const timeoutMs = (timeoutSeconds || 1) * 1000;
  if (get) {
    const request = planHttpGet(get, { container, podIP, purpose: "probe" });
    return resultOfGet(await httpGet(request, { clock: runtime.ioClock, timeoutMs }));
  }
  if (tcpSocket) {
    const port = resolvePort(tcpSocket.port, container);
    return probeTcp(runtime.ioClock, { host: tcpSocket.host || podIP, port, timeoutMs });
  }
  if (grpc) return probeGrpc(runtime, { host: podIP, port: grpc.port, service: grpc.service ?? "", timeoutMs });
  throw new Error(`missing probe handler for ${container.name}`);
}

/** Pure: what a response to a probe means (pkg/probe/http/http.go, DoHTTPProbe). The body of a failure is not shown to users. */
export function resultOfGet(result: HttpGetResult): ProbeResult {
  if (result.kind === "failed") return { kind: "failure", output: result.error };
  if (result.kind === "cut") return { kind: "error", state: "failure", error: result.error };
  const { status, body } = result;
  if (status >= 200 && status < 300) return { kind: "success", output: body };
  if (status >= 300 && status < 400)
    return { kind: "warning", output: `Probe terminated redirects, Response body: ${body}` };
  return { kind: "failure", output: `HTTP probe failed with statuscode: ${status}` };
}

/** As upstream's runHTTPHandler (pkg/kubelet/lifecycle/handlers.go): a status is not looked at. @throws Error where a port is not there */
async function runHttpHook(
  { ioClock: clock }: Pick<Runtime, "ioClock">,
  { httpGet: get, container, podIP }: HttpHook,
  signal: AbortSignal,
): Promise<HttpHookResult> {
  const request = planHttpGet(get, { container, podIP, purpose: "lifecycle" });
  const result = await httpGet(request, { clock, signal });
  if (result.kind !== "failed") return {};
  if (request.scheme !== "https" || !result.error.endsWith(plainHttpError)) return { failure: result.error };
  const plain = await httpGet(withoutTls(request), { clock, signal });
  return plain.kind === "failed"
    ? { failure: result.error }
    : { fellBackToHttp: joinHostPort(request.host, request.port) };
}

/** What authorizes a client does not go over a connection that others can read. */
function withoutTls(request: HttpGetRequest): HttpGetRequest {
  const headers: string[] = [];
  for (let i = 0; i + 1 < request.headers.length; i += 2) {
    const [name = "", value = ""] = request.headers.slice(i, i + 2);
    if (name.toLowerCase() !== "authorization") headers.push(name, value);
  }
  return { ...request, scheme: "http", headers };
}
