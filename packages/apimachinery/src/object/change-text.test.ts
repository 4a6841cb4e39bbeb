import { describe, expect, it } from "vitest";
import { changeText, shortUser } from "./change-text.js";

const path = (name: string) => ({ path: name, before: 1, after: 2 });
const updated = (...paths: string[]) => ({ type: "Updated", paths: paths.map(path) });

describe("changeText", () => {
  const cases = [
    { name: "a creation", change: { type: "Created", paths: [] }, text: "created" },
    { name: "one member", change: updated("spec.replicas"), text: "spec.replicas: 1 → 2" },
    { name: "the generation is left out", change: updated("metadata.generation", "spec.a"), text: "spec.a: 1 → 2" },
    {
      name: "unless there is nothing else",
      change: updated("metadata.generation"),
      text: "metadata.generation: 1 → 2",
    },
    { name: "several", change: updated("spec.a", "spec.b", "spec.c"), text: "spec.a: 1 → 2 and 2 more" },
    {
      name: "a value of several lines",
      change: { type: "Updated", paths: [{ path: "data.text", before: "one\ntwo", after: "\u001b[2Jnew" }] },
      text: 'data.text: "one\\ntwo" → "\\u001b[2Jnew"',
    },
    { name: "a member that is new", change: { type: "Updated", paths: [{ path: "a", after: "x" }] }, text: "a: - → x" },
  ];
  for (const { name, change, text } of cases) it(name, () => expect(changeText(change)).toBe(text));
});

it("names components of the system without what all of them share", () => {
  expect(
    ["system:serviceaccount:kube-system:job-controller", "system:node:a", "system:kube-scheduler", "ann"].map(
      shortUser,
    ),
  ).toEqual(["job-controller", "a", "kube-scheduler", "ann"]);
});
