import { describe, expect, it } from "vitest";
import { createNodeStatuses } from "../framework/node-statuses.js";
import { unschedulable } from "../framework/status.js";
import { choiceText } from "./choice-text.js";
import { refusalText } from "./refusal-text.js";

describe("why a node was chosen", () => {
  const nodes = ["a", "b", "c", "d"].map((name) => ({ name }));
  const cases = [
    { scores: [1, 4, 2, 3], text: "4 nodes fit; scored b 4, d 3, c 2" },
    { scores: [5, 5, 5, 5], text: "4 nodes fit; scored a 5, b 5, c 5" },
    { scores: [0.4, 90.6], text: "2 nodes fit; scored b 91, a 0" },
  ];
  for (const { scores, text } of cases)
    it(text, () => expect(choiceText(nodes.slice(0, scores.length), Float64Array.from(scores))).toBe(text));
});

describe("why nodes refused a pod", () => {
  it("names nodes by reason", () => {
    const statuses = createNodeStatuses();
    statuses.set("a", unschedulable("p", "Insufficient cpu"));
    statuses.set("b", unschedulable("p", "node(s) were unschedulable"));
    statuses.set("c", unschedulable("p", "Insufficient cpu"));
    expect(refusalText(statuses)).toBe("a, c: Insufficient cpu; b: node(s) were unschedulable");
  });

  it("is bounded however many nodes there are, and is ASCII as headers are", () => {
    const statuses = createNodeStatuses();
    for (let at = 0; at < 5000; at++) statuses.set(`node-${at}`, unschedulable("p", `reason ü ${at % 300}`));
    expect(refusalText(statuses).length).toBeLessThanOrEqual(1000);
    expect(refusalText(statuses)).toMatch(/^[\x20-\x7e]+$/);
  });
});
