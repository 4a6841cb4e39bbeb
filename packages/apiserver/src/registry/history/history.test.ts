import { isStatusError } from "@coxswain/apimachinery/status";
import { testRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";

const group = "/apis/history.coxswain.dev/v1alpha1";
const runtime = testRuntime(1);
const store = createMemoryStore({ runtime });
let server: ApiServer;

interface Item {
  metadata: { name: string };
  object: { kind: string; name: string };
  type: string;
  paths: unknown[];
  [member: string]: unknown;
}
type Body = Record<string, unknown> & { items?: Item[]; metadata?: { continue?: string }; status?: unknown };

async function ask(user: string, method: string, path: string, body?: unknown): Promise<{ code: number; body: Body }> {
  const groups = user === "admin" ? ["system:masters", "system:authenticated"] : ["system:authenticated"];
  const client = createInProcessClient(server, { user: { name: user, groups } });
  try {
    const answer = await client.request({ method, path, ...(body !== undefined && { body }) });
    return { code: method === "POST" ? 201 : 200, body: answer as Body };
  } catch (error) {
    if (!isStatusError(error)) throw error;
    return { code: error.status.code ?? 500, body: {} };
  }
}
const admin = (method: string, path: string, body?: unknown) => ask("admin", method, path, body);
const configMap = (name: string, data: Record<string, string>) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});
const revisionOf = ({ body }: { body: Body }): string =>
  (body.metadata as unknown as { resourceVersion: string }).resourceVersion;

beforeAll(async () => {
  server = await startApiServer({ store, runtime, history: { bytes: 8 << 20 } });
});
afterAll(() => server.stop());

describe("the history of objects", () => {
  const maps = "/api/v1/namespaces/default/configmaps";
  const changes = `${group}/namespaces/default/changes`;
  const moment = { apiVersion: "history.coxswain.dev/v1alpha1", kind: "Moment", spec: { revision: 3 } };
  let first = "";

  it("shows who did what, newest first, with the members that differ", async () => {
    first = revisionOf(await admin("POST", maps, configMap("settings", { colour: "red" })));
    await admin("PUT", `${maps}/settings`, configMap("settings", { colour: "blue" }));
    await admin("DELETE", `${maps}/settings`);
    const { body } = await admin("GET", `${changes}?fieldSelector=object.resource=configmaps,object.name=settings`);
    expect(body.items?.map(({ type, user, verb, paths }) => ({ type, user, verb, paths }))).toEqual([
      { type: "Deleted", user: "admin", verb: "delete", paths: [] },
      {
        type: "Updated",
        user: "admin",
        verb: "update",
        paths: [{ path: "data.colour", before: "red", after: "blue" }],
      },
      { type: "Created", user: "admin", verb: "create", paths: [] },
    ]);
  });

  it("has one change by its name, with the objects before and after it", async () => {
    const { body } = await admin("GET", `${changes}?fieldSelector=object.name=settings,type=Updated`);
    const { name } = body.items![0]!.metadata;
    const one = await admin("GET", `${changes}/${name}?includeObject=Both`);
    expect(one.body.before).toMatchObject({ data: { colour: "red" } });
    expect(one.body.after).toMatchObject({ data: { colour: "blue" } });
    expect((await admin("GET", `${changes}/r1`)).code).toBe(404);
    expect((await admin("DELETE", `${changes}/${name}`)).code).toBe(405);
  });

  it("selects by a path, and pages", async () => {
    const path = await admin("GET", `${changes}?fieldSelector=path=data`);
    expect(path.body.items).toHaveLength(1);
    const page = await admin("GET", `${changes}?limit=2&fieldSelector=object.name=settings`);
    expect(page.body.items).toHaveLength(2);
    const rest = await admin(
      "GET",
      `${changes}?limit=2&fieldSelector=object.name=settings&continue=${page.body.metadata?.continue}`,
    );
    expect(rest.body.items?.map(({ type }) => type)).toEqual(["Created"]);
  });

  it("lists the state of a revision that the store no longer has, where a client asks for exactly it", async () => {
    await store.compact(store.revision);
    // The state of the beginning is written down meanwhile.
    await expect
      .poll(async () => (await admin("POST", `${group}/moments`, moment)).body.status, { timeout: 20_000 })
      .toHaveProperty("oldest");
    const exact = await admin("GET", `${maps}?resourceVersion=${first}&resourceVersionMatch=Exact`);
    expect(exact.body.items?.map(({ metadata }) => metadata.name)).toContain("settings");
    const implicit = await admin("GET", `${maps}?resourceVersion=${first}&limit=5`);
    expect(implicit.code).toBe(410);
  });

  it("answers which revision was the newest at a time", async () => {
    const asked = { ...moment, spec: { revision: Number(first) } };
    const { body, code } = await admin("POST", `${group}/moments`, asked);
    expect(code).toBe(201);
    expect(body.status).toMatchObject({ revision: Number(first), previous: { revision: expect.any(Number) } });
  });

  it("shows what a client names as its cause as a claim, and nothing that is none", async () => {
    const { request } = createInProcessClient(server, { user: { name: "operator", groups: ["system:masters"] } });
    const causesOf = async (name: string, claim: string): Promise<unknown> => {
      await request({ method: "POST", path: maps, body: configMap(name, {}), headers: { "coxswain-cause": claim } });
      const { body } = await admin("GET", `${changes}?fieldSelector=object.resource=configmaps,object.name=${name}`);
      return body.items?.[0]?.["causes"];
    };
    expect(await causesOf("claimed", `widgets shop/a 2,${first}`)).toEqual([
      {
        component: expect.any(String),
        queue: "widgets",
        item: "shop/a",
        revision: Number(first),
        revisions: [2, Number(first)],
        certainty: "claimed",
      },
    ]);
    expect(await causesOf("unclaimed", "not a claim at all")).toEqual([]);
  });

  it("keeps little of an audit id that a client made long", async () => {
    const { request } = createInProcessClient(server, { user: { name: "ann", groups: ["system:masters"] } });
    const headers = { "audit-id": "x".repeat(5000) };
    await request({ method: "POST", path: maps, body: configMap("audited", {}), headers });
    const { body } = await admin("GET", `${changes}?fieldSelector=object.resource=configmaps,object.name=audited`);
    expect(body.items?.[0]?.["auditID"]).toBe("x".repeat(512));
  });

  it("ends a page behind 16 MiB, however few changes those are", async () => {
    const text = "x".repeat(900_000);
    await admin("POST", maps, configMap("large", { text }));
    for (let at = 0; at < 12; at++) await admin("PUT", `${maps}/large`, configMap("large", { text, at: `${at}` }));
    const all = `${changes}?includeObject=Both&fieldSelector=object.resource=configmaps,object.name=large`;
    const page = await admin("GET", all);
    expect(page.body.items?.length).toBeLessThan(13);
    const rest = await admin("GET", `${all}&continue=${page.body.metadata?.continue}`);
    expect([...page.body.items!, ...rest.body.items!].map(({ type }) => type)).toEqual([
      ...Array.from({ length: 12 }, () => "Updated"),
      "Created",
    ]);
  });

  it("has the objects of a definition that was deleted", async () => {
    const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const group = "example.com";
    const widgets = `/apis/${group}/v1/namespaces/default/widgets`;
    await admin("POST", definitions, {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `widgets.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "widgets", singular: "widget", kind: "Widget" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    const widget = { apiVersion: `${group}/v1`, kind: "Widget", metadata: { name: "one" } };
    await expect.poll(async () => (await admin("POST", widgets, widget)).code).toBe(201);
    await admin("DELETE", `${widgets}/one`);
    await admin("DELETE", `${definitions}/widgets.${group}`);
    await expect.poll(async () => (await admin("GET", widgets)).code).toBe(404);
    const typesOf = async (selector: string): Promise<(string | undefined)[] | undefined> =>
      (await admin("GET", `${changes}?fieldSelector=${selector}object.name=one`)).body.items?.map(({ type }) => type);
    for (const selector of ["", "object.resource=widgets,", `object.resource=widgets.${group},`, "object.kind=Widget,"])
      expect(await typesOf(selector)).toEqual(["Deleted", "Created"]);
  });

  it("never has the value of a Secret, nor a list of them", async () => {
    const secrets = "/api/v1/namespaces/default/secrets";
    const secret = (value: string) => ({
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "key", annotations: { note: value } },
      data: { password: Buffer.from(value).toString("base64") },
    });
    const made = await admin("POST", secrets, secret("open sesame"));
    await admin("PUT", `${secrets}/key`, secret("open barley"));
    const { body } = await admin("GET", `${changes}?includeObject=Both&fieldSelector=object.resource=secrets`);
    expect(body.items?.map(({ type, valuesWithheld }) => [type, valuesWithheld])).toEqual([
      ["Updated", true],
      ["Created", true],
    ]);
    expect(body.items?.[0]?.paths).toContainEqual({ path: "data.password", before: 16, after: 16 });
    expect(JSON.stringify(body)).not.toMatch(/sesame|barley|b3Blbi/);
    await store.compact(store.revision);
    const exact = await admin("GET", `${secrets}?resourceVersion=${revisionOf(made)}&resourceVersionMatch=Exact`);
    expect(exact.code).toBe(410);
  });
});

describe("who may see changes", () => {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  const grant = async (user: string, namespace: string, rules: unknown[], what = ""): Promise<void> => {
    const name = `${user}-${namespace || "all"}${what}`;
    const kind = namespace === "" ? "ClusterRole" : "Role";
    const below = namespace === "" ? "" : `/namespaces/${namespace}`;
    const head = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name } };
    await admin("POST", `${rbac}${below}/${kind.toLowerCase()}s`, { ...head, kind, rules });
    await admin("POST", `${rbac}${below}/${kind.toLowerCase()}bindings`, {
      ...head,
      kind: `${kind}Binding`,
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name },
      subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }],
    });
  };
  const ofChanges = { apiGroups: ["history.coxswain.dev"], resources: ["changes"], verbs: ["get", "list", "watch"] };
  const of = (resource: string, verbs = ["get", "list", "watch"]) => ({
    apiGroups: [""],
    resources: [resource],
    verbs,
  });
  const users: Record<string, [namespace: string, rules: unknown[]][]> = {
    nobody: [],
    "changes-only": [["shop", [ofChanges]]],
    "maps-only": [["shop", [of("configmaps")]]],
    maps: [["shop", [ofChanges, of("configmaps")]]],
    "maps-get": [["shop", [ofChanges, of("configmaps", ["get"])]]],
    secrets: [["shop", [ofChanges, of("secrets")]]],
    elsewhere: [["other", [ofChanges, of("configmaps")]]],
    everywhere: [["", [ofChanges, of("configmaps")]]],
  };
  // What each sees of: the present life of `shop`, its earlier one, `other`, and cluster-wide.
  const questions = ["shop", "shop earlier", "other", "all"] as const;
  const want: Record<string, readonly (readonly string[] | number)[]> = {
    nobody: [403, 403, 403, 403],
    "changes-only": [[], [], 403, 403],
    "maps-only": [403, 403, 403, 403],
    maps: [["ConfigMap/new"], [], 403, 403],
    "maps-get": [[], [], 403, 403],
    secrets: [["Secret/new"], [], 403, 403],
    elsewhere: [403, 403, ["ConfigMap/one"], 403],
    everywhere: [
      ["ConfigMap/new"],
      ["ConfigMap/old"],
      ["ConfigMap/one"],
      ["ConfigMap/new", "ConfigMap/old", "ConfigMap/one"],
    ],
  };
  /** Before all of it. */
  let begin = "";
  const seen = (body: Body, names: readonly string[]): string[] =>
    [...new Set(body.items?.map(({ object }) => `${object.kind}/${object.name}`))]
      .filter((name) => names.some((each) => name.endsWith(`/${each}`)))
      .sort();

  beforeAll(async () => {
    const make = (resource: string, namespace: string, name: string) =>
      admin("POST", `/api/v1/namespaces/${namespace}/${resource}`, {
        apiVersion: "v1",
        kind: resource === "secrets" ? "Secret" : "ConfigMap",
        metadata: { name },
      });
    const namespace = (name: string) =>
      admin("POST", "/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name } });
    begin = revisionOf(await admin("GET", "/api/v1/namespaces"));
    await namespace("other");
    await namespace("shop");
    await make("configmaps", "shop", "old");
    await make("secrets", "shop", "old");
    await admin("DELETE", "/api/v1/namespaces/shop");
    for (const resource of ["configmaps/old", "secrets/old"])
      await admin("DELETE", `/api/v1/namespaces/shop/${resource}`);
    const gone = (await admin("GET", "/api/v1/namespaces/shop")).body as { metadata: object };
    await admin("PUT", "/api/v1/namespaces/shop/finalize", { ...gone, spec: { finalizers: [] } });
    await namespace("shop");
    await make("configmaps", "shop", "new");
    await make("secrets", "shop", "new");
    await make("configmaps", "other", "one");
    for (const [user, grants] of Object.entries(users))
      for (const [where, rules] of grants) await grant(user, where, rules);
  });

  for (const [user, answers] of Object.entries(want))
    for (const [at, question] of questions.entries())
      for (const verb of ["list", "get", "watch"] as const) {
        if (question === "all" && verb === "get") continue; // a change is got from its namespace
        it(`${user} asks to ${verb} changes: ${question}`, async () => {
          const expected = answers[at]!;
          const [namespace = ""] = question.split(" ");
          const path = question === "all" ? `${group}/changes` : `${group}/namespaces/${namespace}/changes`;
          const names = question === "shop earlier" ? ["old"] : question === "shop" ? ["new"] : ["new", "old", "one"];
          if (verb === "list") {
            const { code, body } = await ask(user, "GET", path);
            expect(code === 200 ? seen(body, names) : code).toEqual(expected);
            return;
          }
          if (verb === "watch") {
            expect(await watched(user, path, names)).toEqual(expected);
            return;
          }
          // Every change that there is, asked for by name: what is not listed is not there, unless `get` alone was granted.
          const { body } = await admin("GET", path);
          const got: string[] = [];
          let code = 200;
          for (const item of body.items ?? []) {
            const one = await ask(user, "GET", `${path}/${item.metadata.name}`);
            if (one.code === 200) got.push(...seen({ items: [one.body as unknown as Item] }, names));
            else if (one.code === 403) code = 403;
            else expect(one.code).toBe(404);
          }
          const alone = user === "maps-get" && question === "shop" ? ["ConfigMap/new"] : expected;
          expect(code === 403 ? 403 : [...new Set(got)].sort()).toEqual(alone);
        });
      }

  /** What a watch from before all of it delivers. */
  async function watched(user: string, path: string, names: readonly string[]): Promise<string[] | number> {
    const items: Item[] = [];
    const ending = new AbortController();
    const client = createInProcessClient(server, { user: { name: user, groups: ["system:authenticated"] } });
    const request = { method: "GET", path: `${path}?watch=true&resourceVersion=${begin}`, signal: ending.signal };
    const watching = (async () => {
      for await (const { object } of client.watch(request)) items.push(object as Item);
      return 200;
    })().catch((error: unknown) => (isStatusError(error) ? (error.status.code ?? 500) : 200));
    // A list of everything that was asked for later ends later; then some iterations more.
    await admin("GET", `${group}/changes?limit=5000`);
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    ending.abort();
    const code = await watching;
    return code === 403 ? 403 : seen({ items }, names);
  }

  // Explanations are given to everybody here: what they contain depends on what one may read.
  const explained: Record<string, readonly [present: number, earlier: number]> = {
    nobody: [404, 404],
    "maps-only": [201, 404],
    maps: [201, 404],
    secrets: [404, 404],
    elsewhere: [404, 404],
    everywhere: [201, 201],
  };
  for (const [user, codes] of Object.entries(explained))
    for (const [at, name] of ["new", "old"].entries())
      it(`${user} asks why the ConfigMap ${name} of shop is there or gone: ${codes[at]}`, async () => {
        await grant(
          user,
          "",
          [{ apiGroups: ["history.coxswain.dev"], resources: ["explanations"], verbs: ["create"] }],
          "why",
        );
        const object = { apiVersion: "v1", kind: "ConfigMap", namespace: "shop", name };
        const asked = { apiVersion: "history.coxswain.dev/v1alpha1", kind: "Explanation", spec: { object } };
        expect((await ask(user, "POST", `${group}/explanations`, asked)).code).toBe(codes[at]);
      });

  it("asks at least 60 questions", () => {
    expect(
      Object.keys(want).length * (questions.length * 3 - 1) + Object.keys(explained).length * 2,
    ).toBeGreaterThanOrEqual(60);
  });
});
