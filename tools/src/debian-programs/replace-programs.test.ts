import { expect, it } from "vitest";
import { programsOf } from "./replace-programs.js";

const lines = [
  { line: "/usr/bin/containerd --config=/h/default/machines/n-1/etc/containerd.toml ", titles: ["containerd of n-1"] },
  { line: "/usr/bin/containerd-shim-runc-v2 -namespace k8s.io -id /machines/n-1/ ", titles: [] },
  { line: "/usr/bin/node c.js node run --hostname-override=n-1 --node-ip=10.0.0.1 ", titles: ["node process of n-1"] },
  { line: "/usr/bin/node c.js node run --hostname-override=n-12 --node-ip=10.0.0.1 ", titles: [] },
];
for (const { line, titles } of lines)
  it(`${line} is ${titles[0] ?? "nothing that is replaced on n-1"}`, () =>
    expect(programsOf("n-1").flatMap(({ title, isIt }) => (isIt(line) ? [title] : []))).toEqual(titles));
