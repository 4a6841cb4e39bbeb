import { describe, expect, it } from "vitest";
import type { TransportRequest } from "../transport/index.js";
import { encodeBody, requestTarget } from "../transport/index.js";
import {
  applyRequest,
  createRequest,
  deleteCollectionRequest,
  deleteRequest,
  getRequest,
  impersonationHeaders,
  listRequest,
  patchRequest,
  resourcePath,
  updateRequest,
  watchRequest,
} from "./index.js";

const pods = { group: "", version: "v1", resource: "pods", namespace: "default" };
const web = { ...pods, name: "web" };
const shown = (request: TransportRequest): string => {
  const body = request.body && encodeBody(request.body);
  return [
    request.method,
    requestTarget(request),
    ...(body ? [body.contentType, new TextDecoder().decode(body.bytes)] : []),
  ].join(" ");
};

const cases: { request: TransportRequest; line: string }[] = [
  { request: getRequest(web), line: "GET /api/v1/namespaces/default/pods/web" },
  {
    request: getRequest(web, { resourceVersion: "0" }),
    line: "GET /api/v1/namespaces/default/pods/web?resourceVersion=0",
  },
  {
    request: listRequest({ ...pods, namespace: undefined }, { labelSelector: "a in (b,c)", limit: 5 }),
    line: "GET /api/v1/pods?labelSelector=a%20in%20(b%2Cc)&limit=5",
  },
  {
    request: listRequest({ group: "apps", version: "v1", resource: "deployments" }, { continue: "t/=" }),
    line: "GET /apis/apps/v1/deployments?continue=t%2F%3D",
  },
  {
    request: watchRequest(pods, { resourceVersion: "7", allowWatchBookmarks: true, timeoutSeconds: 300 }),
    line: "GET /api/v1/namespaces/default/pods?watch=true&resourceVersion=7&allowWatchBookmarks=true&timeoutSeconds=300",
  },
  {
    request: createRequest(pods, { a: 1 }, { dryRun: true, fieldManager: "me", fieldValidation: "Strict" }),
    line: 'POST /api/v1/namespaces/default/pods?dryRun=All&fieldManager=me&fieldValidation=Strict application/json {"a":1}',
  },
  {
    request: updateRequest({ ...web, subresource: "status" }, {}),
    line: "PUT /api/v1/namespaces/default/pods/web/status application/json {}",
  },
  {
    request: patchRequest(web, { merge: { a: null } }),
    line: 'PATCH /api/v1/namespaces/default/pods/web application/merge-patch+json {"a":null}',
  },
  {
    request: patchRequest(web, { strategic: {} }),
    line: "PATCH /api/v1/namespaces/default/pods/web application/strategic-merge-patch+json {}",
  },
  {
    request: patchRequest(web, { json: [{ op: "remove", path: "/a" }] }),
    line: 'PATCH /api/v1/namespaces/default/pods/web application/json-patch+json [{"op":"remove","path":"/a"}]',
  },
  {
    request: applyRequest(web, {}, { fieldManager: "me", force: true }),
    line: "PATCH /api/v1/namespaces/default/pods/web?fieldManager=me&force=true application/apply-patch+yaml {}",
  },
  { request: deleteRequest(web), line: "DELETE /api/v1/namespaces/default/pods/web" },
  {
    request: deleteRequest(web, {
      gracePeriodSeconds: 0,
      preconditions: { uid: "u" },
      propagationPolicy: "Foreground",
      dryRun: true,
    }),
    line: 'DELETE /api/v1/namespaces/default/pods/web application/json {"kind":"DeleteOptions","apiVersion":"v1","gracePeriodSeconds":0,"preconditions":{"uid":"u"},"propagationPolicy":"Foreground","dryRun":["All"]}',
  },
  {
    request: deleteCollectionRequest(pods, { labelSelector: "a=b" }),
    line: "DELETE /api/v1/namespaces/default/pods?labelSelector=a%3Db",
  },
  {
    request: createRequest(pods, { big: 9007199254740993n }),
    line: 'POST /api/v1/namespaces/default/pods application/json {"big":9007199254740993}',
  },
];

describe("requests are data", () => {
  for (const { request, line } of cases) it(line, () => expect(shown(request)).toBe(line));

  for (const name of ["", ".", "..", "a/b", "a%2fb"])
    it(`the name ${JSON.stringify(name)} is refused: it would be another path`, () =>
      expect(() => resourcePath({ ...pods, name })).toThrow(TypeError));
  it("names with colons are encoded", () =>
    expect(
      resourcePath({
        group: "rbac.authorization.k8s.io",
        version: "v1",
        resource: "clusterroles",
        name: "system:node",
      }),
    ).toBe("/apis/rbac.authorization.k8s.io/v1/clusterroles/system%3Anode"));
});

it("impersonation is a line for each group and extra value", () =>
  expect(
    impersonationHeaders({ user: "jane", uid: "7", groups: ["a", "b"], extra: { "example.com/Scope": ["x", "y"] } }),
  ).toEqual([
    ["impersonate-user", "jane"],
    ["impersonate-uid", "7"],
    ["impersonate-group", "a"],
    ["impersonate-group", "b"],
    ["impersonate-extra-example.com%2fscope", "x"],
    ["impersonate-extra-example.com%2fscope", "y"],
  ]));
