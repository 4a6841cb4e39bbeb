import { systemRuntime } from "@coxswain/runtime";
import { createMemoryStore } from "@coxswain/storage/memory";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../server/compose/api-server.js";
import { createInProcessClient } from "../../server/in-process/in-process-client.js";
import { createParamRefCheck } from "./authorize-params.js";

const group = "admissionregistration.k8s.io";
const rbac = "rbac.authorization.k8s.io";
const secrets = { apiVersion: "v1", kind: "Secret" };
const configMaps = { apiVersion: "v1", kind: "ConfigMap" };
const jane = "&{jane  [dev system:authenticated] map[]}";
/** Rights of each user beyond those to write policies and bindings. */
const users: Record<string, object[]> = {
  jane: [],
  reader: [{ verbs: ["get"], apiGroups: [""], resources: ["secrets", "configmaps"] }],
  lister: [{ verbs: ["list"], apiGroups: [""], resources: ["secrets"] }],
  named: [{ verbs: ["get"], apiGroups: [""], resources: ["secrets"], resourceNames: ["one"] }],
};

describe.each(["Validating", "Mutating"])("the parameters of a %sAdmissionPolicy", (sort) => {
  let server: ApiServer;
  const versions: string[] = [];
  beforeAll(async () => {
    server = await startApiServer({
      runtime: systemRuntime(),
      store: createMemoryStore({ runtime: systemRuntime() }),
      api: { runtimeConfig: new Map(["v1beta1", "v1alpha1"].map((version) => [`${group}/${version}`, "true"])) },
    });
    for (const [name, more] of Object.entries(users)) {
      const rules = [{ verbs: ["*"], apiGroups: [group], resources: ["*"] }, ...more];
      await admin("POST", `/apis/${rbac}/v1/clusterroles`, { metadata: { name }, rules });
      await admin("POST", `/apis/${rbac}/v1/clusterrolebindings`, {
        metadata: { name },
        roleRef: { apiGroup: rbac, kind: "ClusterRole", name },
        subjects: [{ kind: "User", apiGroup: rbac, name }],
      });
    }
    const { versions: all } = (await request("admin", "GET", `/apis/${group}`, undefined, ["system:masters"])) as {
      versions: { version: string }[];
    };
    for (const { version } of all) {
      const { resources } = (await request("admin", "GET", `/apis/${group}/${version}`, undefined, [
        "system:masters",
      ])) as { resources: { kind: string }[] };
      if (resources.some(({ kind }) => kind === `${sort}AdmissionPolicy`)) versions.push(version);
    }
    await admin("POST", policies("v1"), policy("of-secrets", secrets));
    await admin("POST", policies("v1"), policy("of-nothing", undefined));
    await admin("POST", policies("v1"), policy("of-unknown", { apiVersion: "example.com/v1", kind: "Params" }));
  });
  afterAll(() => server.stop());

  const lower = sort.toLowerCase();
  const policies = (version: string): string => `/apis/${group}/${version}/${lower}admissionpolicies`;
  const bindings = (version: string): string => `/apis/${group}/${version}/${lower}admissionpolicybindings`;
  const policy = (name: string, paramKind: object | undefined) => ({
    metadata: { name },
    spec: {
      ...(paramKind && { paramKind }),
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] }],
      },
      ...(sort === "Validating"
        ? { validations: [{ expression: "true" }] }
        : {
            failurePolicy: "Fail",
            reinvocationPolicy: "Never",
            mutations: [{ patchType: "JSONPatch", jsonPatch: { expression: '[JSONPatch{op: "remove", path: "/x"}]' } }],
          }),
    },
  });
  const binding = (name: string, policyName: string, paramRef?: object) => ({
    metadata: { name },
    spec: {
      policyName,
      ...(paramRef && { paramRef: { parameterNotFoundAction: "Allow", ...paramRef } }),
      ...(sort === "Validating" && { validationActions: ["Deny"] }),
    },
  });

  const request = (name: string, method: string, path: string, body?: object, groups = ["dev"]): Promise<unknown> =>
    createInProcessClient(server, { user: { name, groups } }).request({ method, path, ...(body && { body }) });
  const admin = (method: string, path: string, body: object): Promise<unknown> =>
    request("admin", method, path, body, ["system:masters"]);
  /** What is wrong with the parameters, "ok", or another error. */
  const outcome = (sent: Promise<unknown>): Promise<string> =>
    sent.then(
      () => "ok",
      (err: Error) => /is invalid: (spec\.param.*)$/s.exec(err.message)?.[1] ?? err.message,
    );
  const kindRefusal = ({ apiVersion, kind }: { apiVersion: string; kind: string }): string =>
    `spec.paramKind: Forbidden: user ${jane} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
  const refRefusal = (verb: string, user = jane): string =>
    sort === "Validating"
      ? `spec.paramRef: Forbidden: user ${user} does not have "${verb}" permission on the object referenced by paramRef`
      : `spec.paramRef: Forbidden: user ${verb} does not have "${user}" permission on the object referenced by paramRef`;
  const least = (verb: string): string =>
    `to determine minimum required permissions and user ${jane} does not have "${verb}" permission for all groups, versions and resources`;

  it("are served in these versions", () =>
    expect(versions).toEqual(sort === "Validating" ? ["v1"] : ["v1", "v1beta1", "v1alpha1"]));

  it("a policy is written by who may read all objects of its paramKind, in every version", async () => {
    for (const version of versions) {
      const path = policies(version);
      const name = `made-${version}`;
      expect(await outcome(request("jane", "POST", path, policy(name, secrets)))).toBe(kindRefusal(secrets));
      expect(await outcome(request("named", "POST", path, policy(name, secrets)))).toMatch(/^spec.paramKind: Forb/);
      expect(await outcome(request("jane", "POST", path, policy(`${name}-bare`, undefined)))).toBe("ok");
      expect(await outcome(request("reader", "POST", path, policy(name, secrets)))).toBe("ok");
    }
  });

  it("a policy is changed by others as long as its paramKind stays", async () => {
    for (const version of versions) {
      const path = `${policies(version)}/kept-${version}`;
      await admin("POST", policies(version), policy(`kept-${version}`, secrets));
      const patch = (spec: object, by = "jane"): Promise<unknown> => patchOf(by, path, { spec });
      expect(await outcome(patch({ failurePolicy: "Ignore" }))).toBe("ok");
      expect(await outcome(patch({ paramKind: configMaps }))).toBe(kindRefusal(configMaps));
      expect(await outcome(patch({ paramKind: configMaps }, "reader"))).toBe("ok");
      expect(await outcome(patch({ paramKind: null }))).toBe("ok");
      expect(await outcome(patch({ paramKind: secrets }))).toBe(kindRefusal(secrets));
    }
  });
  const patchOf = (name: string, path: string, body: object): Promise<unknown> =>
    createInProcessClient(server, { user: { name, groups: ["dev"] } }).request({
      method: "PATCH",
      path,
      body,
      headers: { "content-type": "application/merge-patch+json" },
    });

  it("a kind that is not served needs the right to read everything of its group and version", async () => {
    const unknown = { apiVersion: "example.com/v1", kind: "Params" };
    expect(await outcome(request("jane", "POST", policies("v1"), policy("p", unknown)))).toBe(kindRefusal(unknown));
  });

  const rows = [
    { name: "without a reference", user: "jane", of: "of-secrets", ref: undefined, want: () => "ok" },
    { name: "a secret by name", user: "jane", of: "of-secrets", ref: { name: "one" }, want: () => refRefusal("get") },
    { name: "a secret that one may read", user: "named", of: "of-secrets", ref: { name: "one" }, want: () => "ok" },
    { name: "secrets that one may read", user: "reader", of: "of-secrets", ref: { name: "two" }, want: () => "ok" },
    {
      name: "secrets by selector",
      user: "jane",
      of: "of-secrets",
      ref: { selector: {} },
      want: () => refRefusal("list"),
    },
    { name: "secrets that one may list", user: "lister", of: "of-secrets", ref: { selector: {} }, want: () => "ok" },
    {
      name: "of a policy that does not exist",
      user: "jane",
      of: "missing",
      ref: { name: "one" },
      want: () => `spec.paramRef: Forbidden: unable to get policy missing ${least("get")}`,
    },
    {
      name: "of a policy whose paramKind is not served",
      user: "jane",
      of: "of-unknown",
      ref: { selector: {} },
      want: () => `spec.paramRef: Forbidden: unable to resolve paramKind &{example.com/v1 Params} ${least("list")}`,
    },
    {
      name: "of a policy without paramKind",
      user: "jane",
      of: "of-nothing",
      ref: { name: "one" },
      want: () => refRefusal("get"),
    },
  ];
  it.each(rows)("a binding: $name", async ({ name, user, of, ref, want }) => {
    for (const version of versions) {
      const object = binding(`${name.replaceAll(" ", "-").toLowerCase()}-${version}`, of, ref);
      expect(await outcome(request(user, "POST", bindings(version), object))).toBe(want());
    }
  });

  it("a binding's changes are authorized each time it has a reference", async () => {
    for (const version of versions) {
      const name = `changed-${version}`;
      await admin("POST", bindings(version), binding(name, "of-secrets", { name: "one" }));
      const patch = (by: string, body: object): Promise<string> =>
        outcome(patchOf(by, `${bindings(version)}/${name}`, body));
      expect(await patch("jane", { metadata: { labels: { a: "b" } } })).toBe(refRefusal("get"));
      expect(await patch("named", { metadata: { labels: { a: "b" } } })).toBe("ok");
      expect(await patch("named", { spec: { paramRef: { name: "two" } } })).toBe(
        refRefusal("get", "&{named  [dev system:authenticated] map[]}"),
      );
      expect(await patch("reader", { spec: { paramRef: { name: "two" } } })).toBe("ok");
      expect(await patch("jane", { spec: { paramRef: null } })).toBe("ok");
    }
  });

  it("what else is wrong with a policy is reported alone", async () => {
    const wrong = policy("Wrong Name", secrets);
    expect(await outcome(request("jane", "POST", policies("v1"), wrong))).not.toContain("spec.paramKind");
  });
});

describe("the text of a refused binding", () => {
  const user = { name: "u", uid: "7", groups: ["g", "h"], extra: { b: ["2", "3"], a: ["1"] } };
  const binding = { spec: { policyName: "p", paramRef: { name: "one", namespace: "n" } } };
  const check = (sort: "validating" | "mutating", apiVersion: string, error?: string) =>
    createParamRefCheck({
      sort,
      kinds: () => [{ group: "", version: "v1", kind: "Secret", resource: "secrets" }],
      policyOf: () => ({ metadata: {}, spec: { paramKind: { apiVersion, kind: "Secret" } } }) as never,
      authorizer: () => ({ decision: "no opinion", reason: "", ...(error !== undefined && { error }) }),
    }).authorizeValid!({ object: binding as never, old: undefined, scope: { user } as never });
  const who = "&{u 7 [g h] map[a:[1] b:[2 3]]}";
  const cases = [
    {
      sort: "validating" as const,
      apiVersion: "v1",
      want: `user ${who} does not have "get" permission on the object referenced by paramRef`,
    },
    {
      sort: "mutating" as const,
      apiVersion: "v1",
      want: `user get does not have "${who}" permission on the object referenced by paramRef`,
    },
    { sort: "validating" as const, apiVersion: "v1", error: "no", want: "failed to authorize request: no" },
    { sort: "mutating" as const, apiVersion: "v1", error: "no", want: "no" },
    {
      sort: "validating" as const,
      apiVersion: "a/b/c",
      want: `unable to parse paramKind &{a/b/c Secret} to determine minimum required permissions and user ${who} does not have "get" permission for all groups, versions and resources`,
    },
  ];
  it.each(cases)("$sort, $apiVersion, $error", async ({ sort, apiVersion, error, want }) =>
    expect((await check(sort, apiVersion, error)).map(({ detail }) => detail)).toEqual([want]),
  );
});
