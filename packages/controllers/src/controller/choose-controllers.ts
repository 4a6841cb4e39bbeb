import type { Controller } from "./controller.js";

export interface ControllerChoice {
  /**
   * `--controllers`: "*" for all that are on by default, "name" to switch one on, "-name" to switch one off; the first
   * that names one counts.
   * @default ["*"]
   */
  readonly controllers?: readonly string[];
  readonly gates: { enabled(gate: string): boolean };
}

/** Pure: which controllers run. @throws Error for a name that nobody knows */
export function chooseControllers(
  all: readonly Controller[],
  { controllers = ["*"], gates }: ControllerChoice,
): Controller[] {
  const nameOf = new Map(all.flatMap(({ name, aliases }) => [name, ...aliases].map((alias) => [alias, name] as const)));
  const unknown = controllers
    .map((word) => word.replace(/^-/, ""))
    .filter((word) => word !== "*" && !nameOf.has(word) && !cloudControllers.has(word));
  if (unknown.length > 0)
    throw new Error(
      `${unknown.map((word) => JSON.stringify(word)).join(", ")} is not in the list of known controllers`,
    );
  return all.filter(
    (controller) =>
      (controller.gates ?? []).every((gate) => gates.enabled(gate)) && isWanted(controller, controllers, nameOf),
  );
}

/** Known by name, and run by the cloud controller manager alone. */
const cloudControllers: ReadonlySet<string> = new Set([
  "service-lb-controller",
  "service",
  "node-route-controller",
  "route",
  "cloud-node-lifecycle-controller",
  "cloud-node-lifecycle",
]);

function isWanted(
  { name, isOnByDefault = true }: Controller,
  words: readonly string[],
  nameOf: ReadonlyMap<string, string>,
): boolean {
  let hasStar = false;
  for (const word of words) {
    if (nameOf.get(word) === name) return true;
    if (word.startsWith("-") && nameOf.get(word.slice(1)) === name) return false;
    if (word === "*") hasStar = true;
  }
  return hasStar && isOnByDefault;
}
