import { describe, expect, it } from "vitest";
import { run, sandbox } from "../pod/pod.test.support.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";
import { planDead } from "./collect-dead.js";

const box = (id: string, state: "ready" | "notReady") => ({ ...sandbox(state), id });
const of = (id: string, state: string, sandboxId: string): ContainerRecord => run("a", state, { id, sandboxId });

const cases: {
  name: string;
  runs: ContainerRecord[];
  boxes: ReturnType<typeof box>[];
  containers: string[];
  sandboxes: string[];
}[] = [
  { name: "nothing of a new pod", runs: [], boxes: [box("1", "ready")], containers: [], sandboxes: [] },
  {
    name: "all runs but the newest",
    runs: [of("c", "exited 1", "1"), of("b", "exited 1", "1"), of("a", "exited 1", "1")],
    boxes: [box("1", "ready")],
    containers: ["b", "a"],
    sandboxes: [],
  },
  {
    name: "not the run before the one that goes on, whose log may be asked for",
    runs: [of("c", "running", "1"), of("b", "exited 1", "1"), of("a", "exited 1", "1")],
    boxes: [box("1", "ready")],
    containers: ["a"],
    sandboxes: [],
  },
  {
    name: "not the sandbox of the run before",
    runs: [of("b", "running", "2"), of("a", "exited 1", "1")],
    boxes: [box("2", "ready"), box("1", "notReady")],
    containers: [],
    sandboxes: [],
  },
  {
    name: "not a run that goes on",
    runs: [of("b", "created", "1"), of("a", "running", "1")],
    boxes: [box("1", "ready")],
    containers: [],
    sandboxes: [],
  },
  {
    name: "old sandboxes that are empty then, and neither the newest nor one with the newest run",
    runs: [of("b", "exited 1", "2"), of("a", "exited 1", "1")],
    boxes: [box("3", "notReady"), box("2", "notReady"), box("1", "notReady")],
    containers: ["a"],
    sandboxes: ["1"],
  },
];

describe("what is collected of a pod that restarts", () => {
  for (const { name, runs, boxes, containers, sandboxes } of cases)
    it(name, () =>
      expect(planDead({ sandboxes: boxes, containers: new Map([["a", runs]]) })).toEqual({ containers, sandboxes }),
    );
});
