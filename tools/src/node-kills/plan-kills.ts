import { createSeededRandom, randomInt, shuffled } from "@coxswain/runtime/random";
import { podShapes, type ShapeName } from "./pod-shapes.js";

/** The pods that there are to be, by name. */
export type Population = ReadonlyMap<string, ShapeName>;
export const victims = ["kubelet", "containerd", "both"] as const;
export type Victim = (typeof victims)[number];

export type KillStep =
  | { readonly do: "create"; readonly name: string; readonly shape: ShapeName }
  | { readonly do: "delete"; readonly name: string; readonly graceSeconds: number | undefined }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "kill"; readonly victim: Victim }
  /** What was killed is started again. */
  | { readonly do: "start"; readonly victim: Victim };

export interface KillPlan {
  readonly steps: readonly KillStep[];
  /** What is to be there when they are done. */
  readonly population: Population;
}

const shapeNames = Object.keys(podShapes) as ShapeName[];
/** Kills of one seed. */
const kills = 3;
/** Of the pods, the part that is replaced around each kill. */
const replacedPart = 0.15;

/** Pure: the same steps for the same seed and population. Pods are deleted and created before a kill, while nobody looks, and after it. */
export function planKills(seed: number, before: Population, pods: number): KillPlan {
  const random = createSeededRandom(`kills ${seed}`);
  const population = new Map(before);
  const steps: KillStep[] = [];
  let made = 0;
  const create = (): void => {
    const name = `s${seed}-${made++}`;
    const shape = shapeNames[randomInt(shapeNames.length, random)] ?? "plain";
    population.set(name, shape);
    steps.push({ do: "create", name, shape });
  };
  const remove = (): void => {
    const [name] = shuffled([...population.keys()], random);
    if (name === undefined) return;
    population.delete(name);
    steps.push({ do: "delete", name, graceSeconds: [undefined, undefined, 0, 1][randomInt(4, random)] });
  };
  const replace = (): void => {
    const count = 1 + randomInt(Math.ceil(pods * replacedPart), random);
    for (let i = 0; i < count; i++) remove();
    while (population.size < pods) create();
  };
  const wait = (endMs: number): void => void steps.push({ do: "wait", ms: randomInt(endMs, random) });
  while (population.size < pods) create();
  for (let i = 0; i < kills; i++) {
    const victim = victims[(seed + i) % victims.length] ?? "both";
    wait(3000);
    replace();
    wait(2500);
    steps.push({ do: "kill", victim });
    replace();
    wait(3000);
    steps.push({ do: "start", victim });
  }
  return { steps, population };
}
