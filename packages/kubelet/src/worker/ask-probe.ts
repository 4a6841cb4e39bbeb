import type { Probe } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import {
  type ContainerRecord,
  ExecTimeoutError,
  type NetworkProbe,
  type ProbeAnswer,
} from "../runtime/container-runtime.js";
import { keepOutput } from "./keep-output.js";
import type { NodeContext } from "./node-context.js";

export interface ProbeQuestion {
  readonly pod: CachedPod;
  readonly container: CachedContainer;
  readonly record: ContainerRecord;
  readonly probe: DeepReadonly<Probe>;
  readonly podIP: string;
}

/** Runs a probe once: a command in the container, or a connection to it. */
export async function askProbe(context: NodeContext, question: ProbeQuestion): Promise<ProbeAnswer> {
  const { probe, record, container, podIP } = question;
  if (probe.exec) return askCommand(context, record.id, probe);
  const network = networkProbe(probe, container, podIP);
  if (!network || !context.containers.probe) return { success: true, output: "", until: Number.POSITIVE_INFINITY };
  return context.containers.probe(record.id, network);
}

async function askCommand(
  { containers }: NodeContext,
  id: string,
  { exec, timeoutSeconds = 1 }: DeepReadonly<Probe>,
): Promise<ProbeAnswer> {
  const command = exec?.command ?? [];
  try {
    const done = await containers.execSync(id, command, timeoutSeconds * 1000);
    return { success: done.exitCode === 0, output: keepOutput(done) };
  } catch (error) {
    if (error instanceof ExecTimeoutError)
      return { success: false, output: `command timed out: "${command.join(" ")}" timed out after ${timeoutSeconds}s` };
    return { success: false, output: (error as Error).message };
  }
}

function networkProbe(
  { httpGet, tcpSocket, grpc }: DeepReadonly<Probe>,
  container: CachedContainer,
  podIP: string,
): NetworkProbe | undefined {
  if (httpGet)
    return {
      kind: "http",
      port: portNumber(httpGet.port, container),
      path: httpGet.path ?? "/",
      host: httpGet.host || podIP,
    };
  if (tcpSocket) return { kind: "tcp", port: portNumber(tcpSocket.port, container), host: tcpSocket.host || podIP };
  if (grpc) return { kind: "grpc", port: grpc.port, service: grpc.service ?? "" };
  return undefined;
}

function portNumber(port: string | number, { ports = [] }: CachedContainer): number {
  if (typeof port === "number") return port;
  return ports.find(({ name }) => name === port)?.containerPort ?? Number(port);
}
