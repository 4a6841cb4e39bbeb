import type { Taint } from "@coxswain/api/core/v1";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { parseYaml } from "@coxswain/apimachinery/yaml";
import type { NodeSpec } from "../node/node-spec.js";
import { type BehaviourRules, ruleNames } from "./behaviour.js";
import type { ImageRule } from "./image-rules.js";

/** What a file configures of simulated nodes and containers. */
export interface Simulation {
  /** Undefined: the file has none. */
  readonly nodes: readonly NodeSpec[] | undefined;
  /** For all containers. */
  readonly rules: BehaviourRules;
  readonly imageRules: readonly ImageRule[];
}

export interface SimulationSource {
  /** A file next to it, for `logs-from`. @throws Error */
  readFile(path: string): string;
}

const maxNodes = 10_000;

/**
 * Node pools and rules of a YAML file: `nodes`, a list of pools; `rules`, a list of rules with or without `images`.
 * @throws Error with the member that is wrong
 */
export function parseSimulation(text: string, source: SimulationSource): Simulation {
  const file = membersOf(parseYaml(text).value, "the file", ["nodes", "rules"]);
  const nodes = file["nodes"] === undefined ? undefined : listOf(file["nodes"], "nodes").flatMap(readPool);
  if (nodes && nodes.length > maxNodes) throw new Error(`nodes: ${nodes.length} are more than ${maxNodes}`);
  const names = new Set(nodes?.map(({ name }) => name));
  if (nodes && names.size < nodes.length) throw new Error("nodes: two pools have the same name");
  const all = listOf(file["rules"] ?? [], "rules").map((rule, at) => readRule(rule, `rules[${at}]`, source));
  return {
    nodes,
    rules: Object.assign(
      {},
      ...all.filter(({ images }) => images.length === 0).map(({ rules }) => rules),
    ) as BehaviourRules,
    imageRules: all.filter(({ images }) => images.length > 0),
  };
}

const poolMembers = [
  "name",
  "count",
  "labels",
  "annotations",
  "taints",
  "capacity",
  "allocatable",
  "zones",
  "region",
  "instanceType",
];

function readPool(value: unknown, at: number): NodeSpec[] {
  const where = `nodes[${at}]`;
  const pool = membersOf(value, where, poolMembers);
  const name = pool["name"] ?? "node";
  if (typeof name !== "string" || !/^[a-z0-9]([-.a-z0-9]{0,200}[a-z0-9])?$/.test(name))
    throw new Error(`${where}.name: ${JSON.stringify(name)} is no name of a node`);
  const count = pool["count"] ?? 1;
  if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > maxNodes)
    throw new Error(`${where}.count: must be a number of nodes up to ${maxNodes}`);
  const zones = listOf(pool["zones"] ?? [], `${where}.zones`).map(String);
  const shape = {
    annotations: textsOf(pool["annotations"], `${where}.annotations`),
    capacity: quantitiesOf(pool["capacity"], `${where}.capacity`),
    allocatable: quantitiesOf(pool["allocatable"], `${where}.allocatable`),
    ...(pool["taints"] !== undefined && {
      taints: listOf(pool["taints"], `${where}.taints`).map((taint, index) =>
        readTaint(taint, `${where}.taints[${index}]`),
      ),
    }),
  };
  const labels = {
    ...(pool["region"] !== undefined && { "topology.kubernetes.io/region": String(pool["region"]) }),
    ...(pool["instanceType"] !== undefined && { "node.kubernetes.io/instance-type": String(pool["instanceType"]) }),
    ...textsOf(pool["labels"], `${where}.labels`),
  };
  return Array.from({ length: count as number }, (_, index) => {
    const zone = zones[index % zones.length];
    const zoned = zone === undefined ? labels : { "topology.kubernetes.io/zone": zone, ...labels };
    return { name: `${name}-${index}`, labels: zoned, ...shape };
  });
}

const effects = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function readTaint(value: unknown, where: string): Taint {
  const { key, value: text, effect } = membersOf(value, where, ["key", "value", "effect"]);
  if (typeof key !== "string" || key === "") throw new Error(`${where}.key: is missing`);
  if (!effects.includes(effect as string)) throw new Error(`${where}.effect: must be one of ${effects.join(", ")}`);
  return { key, effect: effect as Taint["effect"], ...(text !== undefined && { value: String(text) }) };
}

function readRule(value: unknown, where: string, source: SimulationSource): ImageRule {
  const {
    images = [],
    "logs-from": logsFrom,
    ...rest
  } = membersOf(value, where, ["images", "logs-from", ...ruleNames]);
  const rules = textsOf(rest, where);
  const logs = logsFrom === undefined ? {} : { logs: source.readFile(String(logsFrom)) };
  return { images: listOf(images, `${where}.images`).map(String), rules: { ...rules, ...logs } };
}

function membersOf(value: unknown, where: string, known: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${where}: must have members`);
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Error(`${where}: there is no member "${unknown}"; there are ${known.join(", ")}`);
  return value as Record<string, unknown>;
}

function listOf(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Error(`${where}: must be a list`);
  return value;
}

/** Numbers and truth values count as their texts: YAML's quotes are easily forgotten. */
function textsOf(value: unknown, where: string): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new Error(`${where}: must have members`);
  return Object.fromEntries(
    Object.entries(value).map(([name, text]) => {
      if (typeof text === "object") throw new Error(`${where}.${name}: must be a text`);
      return [name, String(text)];
    }),
  );
}

function quantitiesOf(value: unknown, where: string): Readonly<Record<string, string>> {
  const texts = textsOf(value, where);
  for (const [name, text] of Object.entries(texts)) {
    try {
      parseQuantity(text);
    } catch (error) {
      throw new Error(`${where}.${name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return texts;
}
