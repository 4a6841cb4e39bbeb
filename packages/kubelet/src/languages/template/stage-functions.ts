import { formatTime } from "@coxswain/apimachinery/time";
import { stringifyYaml } from "@coxswain/apimachinery/yaml";
import { goFunctions } from "./go-functions.js";
import { checkLength, type GoValue } from "./go-values.js";
import type { TemplateFunction, TemplateFunctions } from "./render.js";
import { sprigFunctions } from "./sprig-functions.js";

/** What the functions that KWOK adds to templates are about; those that a kind of object does not have are left out. */
export interface StageSurroundings {
  /** Milliseconds since 1970. */
  now(): number;
  /** When the process began. */
  readonly startTime: number;
  /** Of the program, as nodes report it. */
  readonly version: string;
  readonly nodeIP?: () => string;
  readonly nodeName?: () => string;
  readonly nodePort?: () => number;
  readonly podIP?: () => string;
  readonly nodeIPsOf?: (nodeName: string) => readonly string[];
  readonly podIPsOf?: (asked: { nodeName: string; hostNetwork: boolean; uid: string }) => readonly string[];
}

const nodeConditions = [
  ["Ready", "True", "KubeletReady", "kubelet is posting ready status"],
  ["MemoryPressure", "False", "KubeletHasSufficientMemory", "kubelet has sufficient memory available"],
  ["DiskPressure", "False", "KubeletHasNoDiskPressure", "kubelet has no disk pressure"],
  ["PIDPressure", "False", "KubeletHasSufficientPID", "kubelet has sufficient PID available"],
  ["NetworkUnavailable", "False", "RouteCreated", "RouteController created a route"],
].map(([type, status, reason, message]) => ({
  type,
  status,
  lastHeartbeatTime: null,
  lastTransitionTime: null,
  reason,
  message,
}));

const added = [
  "Quote",
  "Now",
  "StartTime",
  "YAML",
  "Version",
  "NodeConditions",
  "NodeIP",
  "NodeName",
  "NodePort",
  "PodIP",
  "NodeIPWith",
  "NodeIPsWith",
  "PodIPWith",
  "PodIPsWith",
] as const;

/** Whether templates of Stages may call it. */
export const isStageFunction = (name: string): boolean =>
  goFunctions.has(name) || sprigFunctions.has(name) || (added as readonly string[]).includes(name);

/** RFC 3339 with as many digits of a second as there are. */
const timeText = (ms: number): string =>
  ms % 1000 === 0
    ? formatTime(ms)
    : `${new Date(ms)
        .toISOString()
        .slice(0, -1)
        .replace(/0{1,2}$/, "")}Z`;

/** What is no string is written as a string that holds its JSON. */
const quote = (value: GoValue): string => {
  const json = JSON.stringify(value ?? null);
  return json.startsWith('"') ? json : JSON.stringify(json);
};

/** The YAML of a value; with a depth, on lines of its own, two columns deeper for each. */
function yaml(value: GoValue, depth: GoValue): string {
  const text = stringifyYaml(value ?? null);
  if (typeof depth !== "number" || depth <= 0) return text;
  const lines = text.split("\n");
  checkLength(text.length + lines.length * depth * 2);
  const pad = `\n${"  ".repeat(depth)}`;
  return pad + lines.join(pad);
}

/** The functions of a Stage's templates: Go's, Sprig's, and those that KWOK adds. */
export function stageFunctions(around: StageSurroundings): TemplateFunctions {
  const functions = new Map<string, TemplateFunction>([...goFunctions, ...sprigFunctions]);
  const own: Record<(typeof added)[number], TemplateFunction | undefined> = {
    Quote: quote,
    Now: () => timeText(around.now()),
    StartTime: () => timeText(around.startTime),
    YAML: yaml,
    Version: () => around.version,
    NodeConditions: () => nodeConditions,
    NodeIP: around.nodeIP,
    NodeName: around.nodeName,
    NodePort: around.nodePort,
    PodIP: around.podIP,
    NodeIPWith: around.nodeIPsOf && ((node) => around.nodeIPsOf?.(String(node))[0] ?? ""),
    NodeIPsWith: around.nodeIPsOf && ((node) => around.nodeIPsOf?.(String(node))),
    PodIPWith: around.podIPsOf && ((...args) => podIPs(around, args)[0] ?? ""),
    PodIPsWith: around.podIPsOf && ((...args) => podIPs(around, args)),
  };
  for (const name of added) {
    const call = own[name];
    if (call) functions.set(name, call);
  }
  return functions;
}

const podIPs = (around: StageSurroundings, [node, hostNetwork, uid]: readonly GoValue[]): readonly string[] =>
  around.podIPsOf?.({ nodeName: String(node), hostNetwork: hostNetwork === true, uid: String(uid) }) ?? [];
