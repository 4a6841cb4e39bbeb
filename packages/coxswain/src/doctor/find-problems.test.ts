import { expect, it } from "vitest";
import { findProblems } from "./find-problems.js";
import type { MachineFacts } from "./machine-facts.js";

const all = { kubectl: "v1.36.4", helm: "v3", containerd: "2.4", runc: "1.2", nft: "1.0", conntrack: "1.4" };
const machine = (facts: Partial<MachineFacts> = {}): MachineFacts => ({
  node: "v20.19.0",
  platform: "linux",
  isRoot: false,
  folder: "/home/ann/.coxswain/default",
  freeBytes: 2 ** 34,
  port: 6443,
  isPortFree: true,
  portOf: undefined,
  programs: all,
  ...facts,
});

const problems = (facts: Partial<MachineFacts>): string[] =>
  findProblems(machine(facts))
    .filter(({ level }) => level !== "ok")
    .map(({ level, subject, text }) => `${level} ${subject}: ${text}`);

const cases: readonly { name: string; facts: Partial<MachineFacts>; found: string[] }[] = [
  { name: "a machine with everything has no problem", facts: {}, found: [] },
  {
    name: "a Node that is too old is an error",
    facts: { node: "v20.18.3" },
    found: ["error node: v20.18.3 is too old: 20.19 or later is needed"],
  },
  {
    name: "little room is a warning that names the flag",
    facts: { freeBytes: 2 ** 29 },
    found: [
      "warning disk: 0.5 GiB free for /home/ann/.coxswain/default: a GiB or more is advisable; --data-dir names another place",
    ],
  },
  {
    name: "a port that is taken is only a warning: up chooses another one",
    facts: { isPortFree: false },
    found: ['warning port: 6443 is taken on 127.0.0.1: "coxswain up" will choose another one'],
  },
  {
    name: "a port that one's own cluster has is no problem",
    facts: { isPortFree: false, portOf: "default" },
    found: [],
  },
  {
    name: "a missing program is named with the package that brings it",
    facts: { programs: { ...all, containerd: undefined } },
    found: ["warning containerd: not found; needed for real containers (apt install containerd)"],
  },
  {
    name: "what real nodes need is not missed where nodes are simulated anyway",
    facts: { platform: "darwin", programs: { ...all, containerd: undefined, nft: undefined } },
    found: [],
  },
];
for (const { name, facts, found } of cases) it(name, () => expect(problems(facts)).toEqual(found));
