import { type HostileDefinition, hostileDefinition, hostileDefinitions, hostileObjects } from "@coxswain/tools/hostile";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Measurement, type SentRequest, startMeasuring } from "./measure.js";

/**
 * One thread serves all clients. Linear is not enough: what the largest body that is accepted costs between two places where others may run
 * is limited, too, in counted operations. `npm run tool -- doubling` (COXSWAIN_DOUBLING=all) sends all that `hostile` sends.
 */
const isComplete = process.env["COXSWAIN_DOUBLING"] === "all";
/** About 0.2 seconds. Scanning a text of 3 MiB is one piece, and so are parsing and writing it; YAML of that length may be 5 MiB of JSON. */
const mostOperations = 40_000_000;

/** What `npm test` has of them: one for each way to read a body, and the longest sections that were found. */
const inTests = [
  "a review with a selector of 3 MB",
  "a review in YAML: a million empty items",
  "a review with 250,000 unknown members",
  "200,000 floats",
  "10,000 operations on a list",
];

const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const group = "definitions.example.com";
const json = { "content-type": "application/json" };

/** Ends what hangs, and nothing else: what is measured are operations, and a machine that does much else gives a test a tenth of its time. */
const hangMs = isComplete ? 3_600_000 : 300_000;

describe("no section of a request is long, however large its body is", { timeout: hangMs }, () => {
  let measurement: Measurement;
  beforeAll(async () => {
    measurement = await startMeasuring();
    const patched = JSON.stringify({ metadata: { name: "patched" }, data: { a: "b" } });
    await measurement.send({
      method: "POST",
      path: "/api/v1/namespaces/default/configmaps",
      headers: json,
      body: patched,
    });
  }, hangMs);
  afterAll(() => measurement.stop());

  const check = async (name: string, request: SentRequest, code?: number): Promise<void> => {
    const { operations, status, sections } = await measurement.longestSection(request);
    if (isComplete) console.log(`${name}: ${operations} operations in the longest of ${sections} sections (${status})`);
    expect(operations).toBeGreaterThan(0);
    expect({ name, operations: operations > mostOperations ? operations : 0 }).toEqual({ name, operations: 0 });
    if (code !== undefined) expect(status).toBe(code);
  };

  for (const { name, method = "POST", path, type = "application/json", body } of hostileObjects) {
    if (!isComplete && !inTests.includes(name)) continue;
    it(name, () => check(name, { method, path, headers: { "content-type": type }, body }));
  }

  hostileDefinitions.forEach(({ name, spec, thing }, at) => {
    if (!isComplete && !inTests.includes(name)) return;
    it(`a definition with ${name}`, () => checkDefinition(`longest${at}`, { name, spec, thing }));
  });

  async function checkDefinition(plural: string, { name, spec, thing }: HostileDefinition): Promise<void> {
    const body = JSON.stringify(hostileDefinition(plural, spec));
    await check(`${name}: defined`, { method: "POST", path: `${definitions}?dryRun=All`, headers: json, body });
    if (
      thing === undefined ||
      (await measurement.send({ method: "POST", path: definitions, headers: json, body })) !== 201
    )
      return;
    const path = `/apis/${group}/v1/${plural}`;
    while ((await measurement.send({ path })) === 404) await new Promise((resolve) => setTimeout(resolve, 20));
    const object = { apiVersion: `${group}/v1`, kind: plural, spec: thing };
    const named = JSON.stringify({ ...object, metadata: { name: "a" } });
    const generated = JSON.stringify({ ...object, metadata: { generateName: "a" } });
    await check(`${name}: created`, { method: "POST", path, headers: json, body: generated });
    if ((await measurement.send({ method: "POST", path, headers: json, body: named })) !== 201) return;
    const apply = { "content-type": "application/apply-patch+yaml" };
    await check(`${name}: applied`, {
      method: "PATCH",
      path: `${path}/a?fieldManager=m&force=true`,
      headers: apply,
      body: named,
    });
    if (!isComplete) return; // the two that have the body, and all that the others have, too
    const merge = { "content-type": "application/merge-patch+json" };
    await check(`${name}: patched`, {
      method: "PATCH",
      path: `${path}/a`,
      headers: merge,
      body: `{"metadata":{"annotations":{"a":"b"}}}`,
    });
    const table = { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" };
    await check(`${name}: listed as a table`, { path, headers: table });
    await measurement.send({ method: "DELETE", path });
    await measurement.send({ method: "DELETE", path: `${definitions}/${plural}.${group}` });
  }
});
