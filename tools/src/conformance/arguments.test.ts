import { describe, expect, it } from "vitest";
import { parseArguments } from "./arguments.js";

const lists = ["a", "b", "stage-4-nodes", "stage-4-without-proxy-and-dns"];

describe("arguments of the conformance command", () => {
  it("has defaults for all but the list", () => {
    expect(parseArguments(["a"], lists)).toEqual({
      list: "a",
      only: undefined,
      parts: undefined,
      nodeParts: undefined,
      upParts: undefined,
      retryFailed: false,
      fresh: false,
      procs: 2,
      nice: false,
      coxswain: undefined,
    });
  });

  it("replaces one of upstream's parts by ours where only that one is named", () => {
    expect(parseArguments(["a", "--controllers", "ours"], lists)).toMatchObject({
      parts: { apiserver: "upstream", controllers: "ours", scheduler: "upstream", store: "upstream" },
    });
  });

  it("runs stage 4 on real nodes, everything ours unless it is named", () => {
    const asked = parseArguments(["stage-4-nodes", "--apiserver", "upstream", "--dns", "none"], lists);
    expect(asked).toMatchObject({
      parts: undefined,
      nodeParts: {
        apiserver: "upstream",
        controllers: "upstream",
        scheduler: "upstream",
        kubelet: "ours",
        proxy: "ours",
        dns: "none",
        containerd: "2.4",
        nodes: 1,
      },
    });
  });

  it("starts neither proxy nor DNS for the list that needs none", () => {
    const asked = parseArguments(["stage-4-without-proxy-and-dns"], lists);
    expect(asked).toMatchObject({ nodeParts: { proxy: "none", dns: "none" } });
  });

  it("runs any list on the nodes of up", () => {
    for (const list of ["a", "stage-4-nodes"])
      expect(parseArguments([list, "--up"], lists)).toMatchObject({
        parts: undefined,
        nodeParts: undefined,
        upParts: { nodes: 3, containerd: "2.4" },
      });
  });

  const wrong = [
    { name: "no list", argv: [], message: /name one list: a, b, / },
    { name: "a list that is not there", argv: ["c"], message: /name one list/ },
    { name: "two lists", argv: ["a", "b"], message: /name one list/ },
    { name: "another server", argv: ["a", "--apiserver", "theirs"], message: /ours or upstream/ },
    { name: "one process", argv: ["a", "--procs", "1"], message: /from 2 on/ },
    { name: "a kubelet where nodes are simulated", argv: ["a", "--kubelet", "ours"], message: /lists of stage 4/ },
    { name: "seven nodes", argv: ["stage-4-nodes", "--nodes", "7"], message: /--nodes is 1 or .* or 6, not 7/ },
    { name: "another kubelet than that of up", argv: ["a", "--up", "--kubelet", "ours"], message: /not for --up/ },
    { name: "an unknown flag", argv: ["a", "--all"], message: /--all/ },
  ];
  for (const { name, argv, message } of wrong)
    it(`refuses ${name}`, () => expect(() => parseArguments(argv, lists)).toThrow(message));

  it("helps", () => expect(parseArguments(["--help"], lists)).toBe("help"));
});
