import { systemRuntime } from "@coxswain/runtime";
import { noActivity } from "@coxswain/runtime/activity";
import { estimatedTime, TaskScheduler } from "@coxswain/runtime/scheduler";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createByteRequester } from "../in-process/byte-requester.js";
import { type ApiServer, startApiServer } from "./api-server.js";

const times = <T>(n: number, make: (at: number) => T): T[] => Array.from({ length: n }, (_, at) => make(at));
const group = "large.example.com";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

const definition = (plural: string, spec: object) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope: "Cluster",
    names: { plural, singular: plural, kind: plural, listKind: `${plural}list` },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
      },
    ],
  },
});
const fields = (n: number, make: (at: number) => object) => ({
  type: "object",
  properties: Object.fromEntries(times(n, (at) => [`field${at}`, make(at)])),
});
const rules = (...all: readonly string[]) => ({ "x-kubernetes-validations": all.map((rule) => ({ rule })) });

interface Row {
  readonly name: string;
  readonly method?: string;
  readonly path: string;
  readonly type?: string;
  /** A text is sent as it is. */
  readonly body: unknown;
  readonly code: number;
  /** Iterations of the event loop at least: so often others run meanwhile. */
  readonly iterations: number;
}

const review = {
  path: "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
  type: "application/yaml",
};
const reviewHead = "apiVersion: authorization.k8s.io/v1\nkind: SelfSubjectAccessReview\n";

/** One thread serves all clients: what takes long lets others run in between. By counts, which are the same on every machine. */
const rows: readonly Row[] = [
  {
    name: "a definition with thousands of properties is checked in steps",
    path: definitions,
    body: definition(
      "properties",
      fields(6_000, () => ({ type: "string" })),
    ),
    code: 201,
    iterations: 25,
  },
  {
    name: "a definition with many long rules is compiled rule by rule",
    path: definitions,
    body: definition("expressions", {
      type: "object",
      ...rules(...times(30, (at) => `${times(800, () => "true").join(" && ")} || ${at} > 0`)),
    }),
    code: 201,
    iterations: 30,
  },
  {
    name: "a policy with many long expressions is compiled expression by expression",
    path: "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
    body: {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "long" },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ["large"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["none"] }],
        },
        validations: times(30, (at) => ({
          expression: `${times(800, () => "true").join(" && ")} || ${at} > 0`,
        })),
      },
    },
    code: 201,
    iterations: 25,
  },
  {
    name: "a definition with many patterns is compiled pattern by pattern",
    path: definitions,
    body: definition(
      "patterns",
      fields(300, (at) => ({ type: "string", pattern: `^a{1,50}${at}$` })),
    ),
    code: 201,
    iterations: 25,
  },
  {
    name: "an object with tens of thousands of values is checked in steps",
    path: `/apis/${group}/v1/lists`,
    body: {
      apiVersion: `${group}/v1`,
      kind: "lists",
      metadata: { name: "a" },
      spec: { l: times(20_000, () => ({ a: "x" })) },
    },
    code: 201,
    iterations: 12,
  },
  {
    name: "a definition with thousands of defaults is read in steps at its first object, which gets them in steps",
    path: `/apis/${group}/v1/defaults`,
    body: { apiVersion: `${group}/v1`, kind: "defaults", metadata: { name: "a" }, spec: {} },
    code: 201,
    iterations: 40,
  },
  {
    name: "what all rules of an object may cost is spent in steps",
    path: `/apis/${group}/v1/budgets`,
    body: { apiVersion: `${group}/v1`, kind: "budgets", metadata: { name: "a" }, spec: { l: times(200, (at) => at) } },
    code: 201,
    iterations: 8,
  },
  {
    ...review,
    name: "YAML with 60,000 equal keys is read in steps",
    body: `${reviewHead}spec:\n${"  a: 1\n".repeat(60_000)}`,
    code: 422,
    iterations: 30,
  },
  {
    ...review,
    name: "YAML with 60,000 floats is read in steps",
    body: `${reviewHead}spec:\n  nonResourceAttributes: {}\n  unknown:\n${"  - 1.5\n".repeat(60_000)}`,
    code: 201,
    iterations: 30,
  },
  {
    ...review,
    name: "YAML with 30,000 keys in brackets is read, sorted and written in steps",
    body: `${reviewHead}spec: {${times(30_000, (at) => `"k${(at * 7919) % 30_000}": 1`).join(",")}}`,
    code: 422,
    iterations: 30,
  },
  {
    ...review,
    name: "YAML with merge keys is read in steps until it is refused",
    body: `${reviewHead}x: &a {b: 1}\ny:\n${"  <<: *a\n".repeat(30_000)}`,
    code: 422,
    iterations: 10,
  },
  {
    name: "a list of 200,000 empty items in YAML is sorted in steps",
    path: "/api/v1/namespaces/default/configmaps",
    type: "application/yaml",
    body: `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\nlist:\n${"- \n".repeat(200_000)}`,
    code: 201,
    iterations: 158,
  },
  {
    name: "a collection of large Secrets is deleted Secret by Secret",
    method: "DELETE",
    path: "/api/v1/namespaces/default/secrets",
    body: undefined,
    code: 200,
    iterations: 10,
  },
  {
    name: "a large object is applied in steps",
    method: "PATCH",
    path: "/api/v1/namespaces/default/configmaps/large?fieldManager=m",
    type: "application/apply-patch+yaml",
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "large" },
      data: Object.fromEntries(times(10_000, (at) => [`key${at}`, "v"])),
    },
    code: 201,
    iterations: 10,
  },
];

describe("while one request needs much work, others run", { timeout: 60_000 }, () => {
  let server: ApiServer;
  beforeAll(async () => {
    // Estimated slices: the same number of them on every machine.
    const scheduler = new TaskScheduler({ time: estimatedTime(), activity: noActivity });
    const store = createMemoryStore({ runtime: systemRuntime() });
    server = await startApiServer({ runtime: systemRuntime({ scheduler }), store });
    await send({ path: definitions, body: definition("lists", { type: "object", properties: { l: items } }) });
    const list = { type: "array", maxItems: 200, items: { type: "integer" } };
    const budget = rules(...times(15, (at) => `self.l.all(a, self.l.all(b, a + b > ${-at - 1}))`));
    await send({
      path: definitions,
      body: definition("budgets", { type: "object", properties: { l: list }, ...budget }),
    });
    const defaulted = { type: "object", default: { a: "b" }, properties: { a: { type: "string" } } };
    await send({
      path: definitions,
      body: definition(
        "defaults",
        fields(5_000, () => defaulted),
      ),
    });
    const data = { a: Buffer.alloc(300_000, "x").toString("base64") };
    for (let at = 0; at < 12; at++)
      await send({ path: "/api/v1/namespaces/default/secrets", body: { metadata: { name: `large-${at}` }, data } });
    // Discovery does not read the definition, as a request for its objects does.
    for (const plural of ["lists", "budgets", "defaults"])
      while (!(await send({ method: "GET", path: `/apis/${group}/v1`, body: undefined })).text.includes(plural))
        await new Promise((resolve) => setTimeout(resolve, 5));
  });
  afterAll(() => server.stop());

  const items = { type: "array", items: { type: "object", properties: { a: { type: "string" } } } };

  async function send(row: Pick<Row, "path" | "body"> & Partial<Row>): Promise<{ code: number; text: string }> {
    const request = createByteRequester(server, { name: "admin", groups: ["system:masters"] });
    const { method = "POST", path, type = "application/json" } = row;
    const sent = typeof row.body === "string" ? row.body : (JSON.stringify(row.body) ?? "");
    const body = new TextEncoder().encode(sent);
    const signal = new AbortController().signal;
    const answer = await request({ method, path, headers: { "content-type": type }, body, signal });
    let text = "";
    for await (const chunk of answer.body) text += new TextDecoder().decode(chunk);
    return { code: answer.status, text };
  }

  for (const row of rows)
    it(row.name, async () => {
      let iterations = 0;
      let isOver = false;
      const tick = (): void => void (isOver || ((iterations += 1), setImmediate(tick)));
      setImmediate(tick);
      const { code, text } = await send(row);
      isOver = true;
      expect({ code, text: code === row.code ? "" : text.slice(0, 500) }).toEqual({ code: row.code, text: "" });
      expect(iterations).toBeGreaterThanOrEqual(row.iterations);
    });
});
