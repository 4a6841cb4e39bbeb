import { describe, expect, it } from "vitest";
import { deal, hashFlow } from "./dealer.js";

/** Answers of k8s.io/apiserver v0.36.4: SHA-256 of name, zero byte and distinguisher, and shufflesharding.NewDealer(deck, size).DealIntoHand. */
const cases = [
  {
    schema: "global-default",
    distinguisher: "alice",
    deck: 128,
    size: 6,
    hash: 17644606172554983095n,
    hand: [55, 62, 126, 125, 105, 1],
  },
  {
    schema: "global-default",
    distinguisher: "bob",
    deck: 128,
    size: 6,
    hash: 7836649528101815225n,
    hand: [57, 101, 58, 46, 116, 53],
  },
  {
    schema: "service-accounts",
    distinguisher: "system:serviceaccount:default:default",
    deck: 128,
    size: 6,
    hash: 13424615363282033023n,
    hand: [127, 66, 18, 15, 64, 74],
  },
  {
    schema: "system-leader-election",
    distinguisher: "",
    deck: 16,
    size: 4,
    hash: 1994702685504597368n,
    hand: [8, 0, 15, 2],
  },
  {
    schema: "kube-controller-manager",
    distinguisher: "kube-system",
    deck: 128,
    size: 6,
    hash: 1951360281921618776n,
    hand: [88, 53, 21, 91, 7, 17],
  },
  { schema: "x", distinguisher: "é", deck: 64, size: 6, hash: 860413631923918050n, hand: [34, 36, 22, 8, 59, 5] },
  { schema: "x", distinguisher: "y", deck: 3, size: 3, hash: 8801147574478190798n, hand: [2, 0, 1] },
];

describe("which queues a flow gets", () => {
  for (const { schema, distinguisher, deck, size, hash, hand } of cases)
    it(`${schema}/${distinguisher}: ${hand.join(", ")}`, () => {
      expect(hashFlow(schema, distinguisher)).toBe(hash);
      expect(deal(hash, deck, size)).toEqual(hand);
    });
  it("a hand has no card twice", () => {
    for (let seed = 0n; seed < 2000n; seed++) expect(new Set(deal(seed * 9_223_372_036_854_77n, 16, 8)).size).toBe(8);
  });
});
