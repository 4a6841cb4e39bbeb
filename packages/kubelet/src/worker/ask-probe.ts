import type { Probe } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { formatDurationMs } from "@coxswain/apimachinery/time";
import type { CachedContainer } from "../objects/cached-pod.js";
import type { ProbeResult } from "../probes/probe-result.js";
import { ExecTimeoutError } from "../runtime/container-runtime.js";
import { expandVariables } from "../sources/expand-variables.js";
import { keepOutput } from "./keep-output.js";
import type { NodeContext } from "./node-context.js";

export interface ProbeQuestion {
  readonly container: CachedContainer;
  /** Of the container's running run. */
  readonly id: string;
  readonly probe: DeepReadonly<Probe>;
  readonly podIP: string;
}

/** Upstream's maxProbeRetries (pkg/kubelet/prober/prober.go): what is no result is asked again. */
const tries = 3;

/** Runs a probe: a command in the container, or a connection to it. */
export async function askProbe(context: NodeContext, question: ProbeQuestion): Promise<ProbeResult> {
  const ask = question.probe.exec ? askCommand : askNetwork;
  let result = await ask(context, question);
  for (let tried = 1; tried < tries && result.kind === "error"; tried++) result = await ask(context, question);
  return result;
}

const askNetwork = ({ prober }: NodeContext, question: ProbeQuestion): Promise<ProbeResult> => prober.probe(question);

/** pkg/probe/exec/exec.go, Probe. The words of a timeout are those of upstream's CRI client (k8s.io/cri-client/pkg, ErrCommandTimedOut). */
async function askCommand({ containers }: NodeContext, question: ProbeQuestion): Promise<ProbeResult> {
  const { id, probe, container } = question;
  const env = new Map((container.env ?? []).map(({ name, value = "" }) => [name, value]));
  const command = (probe.exec?.command ?? []).map((word) => expandVariables(word, env));
  const timeoutMs = (probe.timeoutSeconds || 1) * 1000;
  try {
    const done = await containers.execSync(id, command, timeoutMs);
    return { kind: done.exitCode === 0 ? "success" : "failure", output: keepOutput(done) };
  } catch (error) {
    if (!(error instanceof ExecTimeoutError))
      return { kind: "error", state: "unknown", error: (error as Error).message };
    const timeout = formatDurationMs(timeoutMs);
    const output = `command timed out: ${JSON.stringify(command.join(" "))} timed out after ${timeout}`;
    return { kind: "failure", output };
  }
}
