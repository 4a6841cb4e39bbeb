import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { systemClock } from "@coxswain/apimachinery/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { startApiServer } from "../api-server.js";
import { createByteRequester } from "../byte-requester.js";

interface Family {
  readonly type: string;
  /** "-" for metrics of the runtime. */
  readonly stability: string;
  readonly labels: string;
}

/** `/metrics` of kube-apiserver v1.36.4 after some traffic, one line for each metric: name, type, stability, labels. Those of the Go runtime are left out. */
const upstream = new Map(
  readFileSync(new URL("../../../testdata/metrics/kube-apiserver.txt", import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line): [string, Family] => {
      const [name = "", type = "", stability = "", labels = ""] = line.split(" ");
      return [name, { type, stability, labels }];
    }),
);

function familiesIn(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  for (const [, name = "", stability = "-", type = "", samples = ""] of text.matchAll(/^# HELP (\S+) (?:\[(\w+)\])?.*\n# TYPE \S+ (\S+)\n((?:[^#].*\n)*)/gm)) {
    const labels = [...new Set([...samples.matchAll(/[{,](\w+)="/g)].map(([, label = ""]) => label))].filter((label) => label !== "le").sort();
    families.set(name, { type, stability, labels: labels.join(",") || "-" });
  }
  return families;
}

describe("metrics beside kube-apiserver's", () => {
  it("those of the same name have the same type, stability and labels", async () => {
    const server = await startApiServer({ store: createMemoryStore({ clock: systemClock }) });
    const request = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
    const get = async (path: string): Promise<void> => {
      const { body } = await request({ method: "GET", path, headers: {}, signal: new AbortController().signal });
      for await (const chunk of body) void chunk;
    };
    for (const path of ["/api/v1/namespaces/default", "/api/v1/namespaces", "/api/v1/namespaces?watch=true&timeoutSeconds=1", "/readyz"]) await get(path);
    const ours = familiesIn(server.metrics.text());
    await server.stop();
    const shared = [...ours].filter(([name]) => upstream.has(name));
    expect(shared.length).toBeGreaterThan(20);
    for (const [name, family] of shared) expect([name, family]).toEqual([name, upstream.get(name)]);
    const own = [...ours.keys()].filter((name) => !upstream.has(name) && !name.startsWith("nodejs_"));
    expect(own, "metrics that kube-apiserver does not have").toEqual([]);
  });
});
