import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { changedPaths } from "@coxswain/apimachinery/object";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startCluster } from "../cluster/start-cluster.js";
import type { TestCluster } from "../cluster/test-cluster.js";
import type { Timeline } from "./timeline.js";

const paths = [
  { name: "a member that changed", before: { a: 1 }, after: { a: 2 }, want: ["a 1 2"] },
  {
    name: "one that came and one that went",
    before: { a: 1 },
    after: { b: 2 },
    want: ["a 1 undefined", "b undefined 2"],
  },
  {
    name: "items by their type, in another order",
    before: [{ type: "A", s: 1 }, { type: "B" }],
    after: [{ type: "B" }, { type: "A", s: 2 }],
    want: ["[A].s 1 2"],
  },
  { name: "items by their place", before: { list: [1, 2] }, after: { list: [1, 3] }, want: ["list[1] 2 3"] },
  {
    name: "not what changes with every write",
    before: { metadata: { resourceVersion: "1" } },
    after: { metadata: { resourceVersion: "2" } },
    want: [],
  },
];
describe("changed paths", () => {
  for (const { name, before, after, want } of paths)
    it(name, () =>
      expect(changedPaths(before, after).map((each) => `${each.path} ${each.before} ${each.after}`)).toEqual(want),
    );
});

describe("the timeline of a Deployment", () => {
  let cluster: TestCluster;
  let timeline: Timeline;
  const labels = { app: "web" };
  beforeAll(async () => {
    cluster = await startCluster({ seed: 1, nodes: 1 });
    await cluster.client.apps.v1.deployments("default").create({
      metadata: { name: "web", annotations: { trap: "</script>" } },
      spec: {
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
      },
    });
    await cluster.clock.advance("5s");
    timeline = cluster.timeline();
  });
  afterAll(() => cluster.stop());

  it("shows who wrote what, and which reconcile that woke", () => {
    const lines = String(timeline).split("\n");
    const at = lines.findIndex((line) => /kubernetes-admin +create Deployment default\/web/.test(line));
    expect(lines[at]).toMatch(/^2026-01-01T00:00:00.000Z/);
    expect(lines[at + 1]).toMatch(/woke deployment default\/web \(wrote @\d+/);
    expect(String(timeline)).toMatch(/kube-scheduler +create Pod default\/web-\S+ @\d+: \+spec\.nodeName=node-0/);
  });

  it("leaves heartbeats and Events out unless asked for", async () => {
    await cluster.clock.advance("1m");
    const kinds = (all: boolean): string[] =>
      cluster.timeline({ all }).entries.map((entry) => (entry.is === "write" ? entry.kind : ""));
    expect(kinds(false)).not.toContain("Lease");
    expect(kinds(true)).toEqual(expect.arrayContaining(["Lease", "Event"]));
  });

  it("is one page that needs nothing else, and whose script draws every entry", () => {
    const folder = mkdtempSync(join(tmpdir(), "coxswain-timeline-"));
    const html = readFileSync(timeline.write(join(folder, "deep", "page.html")), "utf8");
    rmSync(folder, { recursive: true });
    expect(html).not.toMatch(/(src|href)=|https?:\/\/(?!www\.w3\.org\/2000\/svg)/);
    const script = /<script>([\s\S]*)<\/script>/.exec(html)?.[1] ?? "";
    expect(script).not.toContain("</script");
    // Parses as a browser would, up to the first use of the document.
    expect(() => runInNewContext(script, {})).toThrow("document is not defined");
    expect(html).toContain(`${timeline.entries.filter(({ is }) => is === "write").length} writes`);
  });
});
