import { describe, expect, it } from "vitest";
import { asDryRun, asTypeScript } from "../contract/action.js";
import { actionsFor, applyAction, machineAction, quoted, replaceAction, scaleAction } from "./actions.js";
import { missingRule } from "./problem-box.js";
import { parseHash } from "./route.js";
import { scrollFor, windowAt } from "./row-window.js";

const info = {
  group: "apps",
  version: "v1",
  resource: "deployments",
  kind: "Deployment",
  namespaced: true,
  verbs: ["get", "list", "patch", "delete"],
  shortNames: [],
  subresources: ["scale"],
  isCustom: false,
};
const ref = { group: "apps", version: "v1", resource: "deployments", namespace: "shop", name: "web" };
const node = { group: "", version: "v1", resource: "nodes", namespace: "", name: "node-0" };

describe("actions are requests as data", () => {
  it("the dry run of a deletion is in its options: the server reads none from the query where there is a body", () => {
    const request = actionsFor(info, ref, "").find(({ id }) => id === "delete")?.request;
    expect(request && asDryRun(request)).toMatchObject({ query: [], body: { kind: "DeleteOptions", dryRun: ["All"] } });
  });

  const commands: readonly (readonly [name: string, kubectl: string | undefined, command: string])[] = [
    [
      "restart",
      actionsFor(info, ref, "2026-01-01T00:00:00Z")[0]?.kubectl,
      "kubectl rollout restart deployments.apps/web -n shop",
    ],
    ["delete", actionsFor(info, ref, "")[1]?.kubectl, "kubectl delete deployments.apps/web -n shop --wait=false"],
    ["scale", scaleAction(ref, 3).kubectl, "kubectl scale deployments.apps/web -n shop --replicas=3"],
    [
      "kill",
      machineAction(node, "off").kubectl,
      `kubectl patch nodes/node-0 --type=merge -p '{"metadata":{"annotations":{"simulation.coxswain.dev/machine":"off"}}}'`,
    ],
    [
      "apply by force",
      applyAction(ref, {}, true).kubectl,
      "kubectl apply --server-side --field-manager=coxswain-console --force-conflicts -n shop -f web.yaml",
    ],
  ];
  for (const [name, kubectl, command] of commands) it(`${name} as kubectl`, () => expect(kubectl).toBe(command));

  it("verbs that the kind does not have are not offered", () =>
    expect(actionsFor({ ...info, verbs: ["get"] }, ref, "")).toEqual([]));
  it("scaling goes to the subresource", () =>
    expect(scaleAction(ref, 3).request.path).toBe("/apis/apps/v1/namespaces/shop/deployments/web/scale"));
  it("a dry run is the same request with one parameter more", () => {
    const { request } = replaceAction(ref, { a: 1 });
    expect(asDryRun(asDryRun(request))).toEqual({ ...request, query: [...request.query, ["dryRun", "All"]] });
  });
  it("TypeScript has method, path, body and its type", () => {
    const text = asTypeScript(scaleAction(ref, 3).request);
    for (const part of [
      'method: "PATCH"',
      '"/apis/apps/v1/namespaces/shop/deployments/web/scale"',
      '"replicas": 3',
      'contentType: "application/merge-patch+json"',
    ])
      expect(text).toContain(part);
  });
  it("a name that a shell would run is quoted", () => expect(quoted("a'; rm -rf /")).toBe(`'a'\\''; rm -rf /'`));
});

describe("addresses and windows", () => {
  it("a table's link names its kind", () =>
    expect(parseHash("#/t/apps/v1/deployments?ns=shop").route).toEqual({
      view: "table",
      place: { group: "apps", version: "v1", resource: "deployments" },
    }));
  it("an object without a namespace has a line for it", () =>
    expect(parseHash("#/o/v1/nodes/_/node-0").route).toMatchObject({
      view: "object",
      place: { namespace: "", name: "node-0" },
    }));
  it("a name is decoded", () =>
    expect(parseHash("#/o/v1/pods/a/b%2Fc").route).toMatchObject({ place: { name: "b/c" } }));
  it("a broken link leads to the overview", () => expect(parseHash("#/t/%zz").route).toEqual({ view: "overview" }));
  it("a small scroll asks for the same rows", () =>
    expect(windowAt(2828, 900, true)).toEqual(windowAt(2856, 900, true)));
  it("a window begins above what is seen", () => expect(windowAt(28 * 1000, 900, true).from).toBeLessThan(1000));
  it("a row below is scrolled to", () => expect(scrollFor(100, 0, 280)).toBe(101 * 28 - 280));
  it("a row that is seen is not", () => expect(scrollFor(3, 0, 280)).toBeUndefined());
  it("a refusal names the rule that would allow it", () =>
    expect(
      missingRule('pods is forbidden: User "ann" cannot list resource "pods" in API group "" in the namespace "shop"'),
    ).toBe('{apiGroups: [""], resources: ["pods"], verbs: ["list"]}'));
});
