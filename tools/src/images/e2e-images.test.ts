import { describe, expect, it } from "vitest";
import { type E2eFacts, planE2eImages } from "./e2e-images.js";

const facts: E2eFacts = {
  base: "/base.tar",
  busybox: "/bin/busybox",
  applets: ["busybox", "env", "sh", "sleep"],
  shell: { program: "/shell", bash: "/bash" },
  programs: {
    agnhost: "/a",
    coredns: "/c",
    etcd: "/e",
    nonewprivs: "/n",
    pause: "/p",
    "regression-issue-74839": "/r",
    "sample-apiserver": "/s",
  },
  sources: "/images",
  pages: { kitten: ["data.json"], nautilus: ["data.json"] },
};

describe("the images of the suite", () => {
  const plan = planE2eImages(facts);

  it("are made of layers that are planned, each of which is used", () => {
    const used = new Set(plan.images.flatMap(({ layers }) => layers));
    expect([...used].sort()).toEqual(Object.keys(plan.layers).sort());
  });

  it("have references that are all different", () => {
    const refs = plan.images.flatMap((image) => image.refs);
    expect(new Set(refs).size).toBe(refs.length);
  });

  it("replace the shell of busybox where there is another one", () => {
    const busybox = plan.layers["busybox"];
    const shells = busybox?.kind === "entries" ? busybox.entries.filter(({ path }) => path === "bin/sh") : [];
    expect(shells).toEqual([{ kind: "copy", path: "bin/sh", source: "/shell" }]);
  });
});
