import { createSeededRandom, shuffled } from "@coxswain/runtime/random";
import { growthFactor, isSuperLinear } from "@coxswain/tools/work";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readExamples } from "./examples.js";
import { growthsOf } from "./grow-object.js";
import { type Measurement, type RequestWork, type SentRequest, startMeasuring } from "./measure.js";
import { growingRequests } from "./requests.js";

/**
 * Sends each request with n, 2n, 4n and 8n of something that a client chooses, and compares how much work the server does, in counts, not
 * in time. `npm run tool -- doubling` (COXSWAIN_DOUBLING=all) sends every kind with every member; otherwise some of them, chosen by the seed.
 */
const isComplete = process.env["COXSWAIN_DOUBLING"] === "all";
const only = process.env["COXSWAIN_KINDS"]?.split(",");
const n = 64;
const perKind = isComplete ? Number.POSITIVE_INFINITY : 2;
const random = createSeededRandom(process.env["COXSWAIN_FUZZ_SEED"] ?? "doubling");

describe("work grows no faster than what is sent", { timeout: isComplete ? 3_600_000 : 60_000 }, () => {
  let measurement: Measurement;
  beforeAll(async () => {
    measurement = await startMeasuring();
  }, 120_000);
  afterAll(() => measurement.stop());

  /** What is wrong, for people; empty where all is well. */
  const measure = async (name: string, of: (size: number) => SentRequest): Promise<string[]> => {
    const size = (at: number): number => {
      const { path, headers = {}, body = "" } = of(at);
      return path.length + JSON.stringify(headers).length + body.length;
    };
    const work = await measurement.measure(of, n);
    const unit = size(8 * n) - size(4 * n);
    return (["blocks", "native"] as const)
      .filter((kind) => isSuperLinear(work[kind], unit))
      .map((kind) => describeWork(name, kind, work));
  };

  for (const { name, of, bounded } of only ? [] : growingRequests) {
    it(bounded === undefined ? name : `${name}, though it is bounded`, async () => {
      const problems = await measure(name, of);
      if (bounded === undefined) expect(problems).toEqual([]);
      else expect(problems).not.toEqual([]); // linear now: delete the bound
    });
  }

  for (const { resource, path, object } of readExamples()) {
    if (only && !only.includes(resource)) continue;
    it(`objects: ${resource}`, async () => {
      const growths = shuffled(growthsOf(object), random).slice(0, perKind);
      const problems: string[] = [];
      for (const { name, grow, of } of growths) {
        const body = (size: number): string => JSON.stringify(grow(size));
        const headers = { "content-type": "application/json" };
        problems.push(
          ...(await measure(`created: ${name}`, (size) => ({
            method: "POST",
            path: `${path}?dryRun=All`,
            headers,
            body: body(size),
          }))),
        );
        if (of === "text") continue; // a text takes the same way however its object comes; the rest is about members
        const named = (size: number, more: object = {}): string => {
          const { metadata, ...rest } = grow(size) as { metadata?: object };
          return JSON.stringify({ ...rest, metadata: { ...metadata, name: "doubled", ...more } });
        };
        const apply = {
          method: "PATCH",
          path: `${path}/doubled?fieldManager=m&force=true`,
          headers: { "content-type": "application/apply-patch+yaml" },
        };
        problems.push(
          ...(await measure(`applied: ${name}`, (size) => ({
            ...apply,
            path: `${apply.path}&dryRun=All`,
            body: named(size),
          }))),
          // Over an object that has as many.
          ...(await measure(`replaced: ${name}`, (size) => ({
            before: { ...apply, body: named(size) },
            method: "PUT",
            path: `${path}/doubled?dryRun=All`,
            headers,
            body: named(size, { annotations: { changed: "yes" } }),
          }))),
        );
        await measurement.send({ method: "DELETE", path: `${path}/doubled` });
      }
      expect(problems).toEqual([]);
    });
  }
});

function describeWork(name: string, kind: "blocks" | "native", work: RequestWork): string {
  const counts = work[kind].join(", ");
  return `${name}: ${kind} ${counts} (× ${growthFactor(work[kind]).toFixed(1)} at the last doubling; status ${work.status}, ${work.ms.toFixed(0)} ms)`;
}
