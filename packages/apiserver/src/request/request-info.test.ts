import { describe, expect, it } from "vitest";
import { readRequestInfo } from "./request-info.js";

/** The cases are those of upstream's table for RequestInfo. */
const cases: [method: string, path: string, watch: boolean, want: string][] = [
  ["GET", "/api/v1/namespaces", false, "list /v1 namespaces"],
  ["GET", "/api/v1/namespaces/other", false, "get /v1 namespaces ns=other name=other"],
  ["GET", "/api/v1/namespaces/other/pods", false, "list /v1 pods ns=other"],
  ["GET", "/api/v1/namespaces/other/pods/foo", false, "get /v1 pods ns=other name=foo"],
  ["HEAD", "/api/v1/namespaces/other/pods/foo", false, "get /v1 pods ns=other name=foo"],
  ["GET", "/api/v1/pods", false, "list /v1 pods"],
  ["HEAD", "/api/v1/pods", false, "list /v1 pods"],
  ["GET", "/api/v1/watch/pods", false, "watch /v1 pods"],
  ["GET", "/api/v1/pods", true, "watch /v1 pods"],
  ["GET", "/api/v1/watch/namespaces/other/pods", false, "watch /v1 pods ns=other"],
  ["GET", "/api/v1/namespaces/other/pods/foo/status", false, "get /v1 pods ns=other name=foo sub=status"],
  [
    "GET",
    "/api/v1/namespaces/other/pods/foo/proxy/subpath/not/a/subresource",
    false,
    "get /v1 pods ns=other name=foo sub=proxy",
  ],
  ["PUT", "/api/v1/namespaces/other/finalize", false, "update /v1 namespaces ns=other name=other sub=finalize"],
  ["PUT", "/api/v1/namespaces/other/status", false, "update /v1 namespaces ns=other name=other sub=status"],
  ["PATCH", "/api/v1/namespaces/other/pods/foo", false, "patch /v1 pods ns=other name=foo"],
  ["DELETE", "/api/v1/namespaces/other/pods/foo", false, "delete /v1 pods ns=other name=foo"],
  ["DELETE", "/api/v1/nodes", false, "deletecollection /v1 nodes"],
  ["POST", "/api/v1/namespaces/other/pods", false, "create /v1 pods ns=other"],
  ["GET", "/apis/batch/v1/namespaces/other/jobs/a", false, "get batch/v1 jobs ns=other name=a"],
  ["GET", "/apis/batch/v1/jobs/", false, "list batch/v1 jobs"],
  ["GET", "/apis/batch/v1", false, "path get"],
  ["GET", "/api/v1", false, "path get"],
  ["GET", "/", false, "path get"],
  ["POST", "/healthz", false, "path post"],
  ["GET", "/version/pods/x/y", false, "path get"],
];

describe("what a request is about", () => {
  for (const [method, path, watch, want] of cases) {
    it(`${method} ${path}${watch ? " with watch" : ""}: ${want}`, () => {
      const info = readRequestInfo(method, path, watch);
      const shown = info?.isResource
        ? `${info.verb} ${info.group}/${info.version} ${info.resource}${info.namespace && ` ns=${info.namespace}`}${info.name && ` name=${info.name}`}${info.subresource && ` sub=${info.subresource}`}`
        : `path ${info?.verb}`;
      expect(shown).toBe(want);
    });
  }
  it("a path with a long run of slashes is read in linear time", () => {
    expect(readRequestInfo("GET", `/a${"/".repeat(1 << 20)}b`, false).isResource).toBe(false);
    expect(readRequestInfo("GET", `/api/v1/pods/${"/".repeat(1 << 20)}b`, false).parts.length).toBe((1 << 20) + 2);
  });
  it("a path that ends with its verb cannot be understood", () =>
    expect(readRequestInfo("GET", "/api/v1/watch", false)).toMatchObject({ isResource: false, isUnclear: true }));
});
