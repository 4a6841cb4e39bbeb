import { describe, expect, it } from "vitest";
import { planPastRequest } from "./plan-past-request.js";

const exact = [
  ["resourceVersion", "99"],
  ["resourceVersionMatch", "Exact"],
];
const get = (path: string, query: [string, string][] = []) => planPastRequest({ method: "GET", path, query }, 99);

describe("requests about the past", () => {
  for (const path of ["/api", "/apis", "/apis/apps/v1", "/version", "/openapi/v3", "/healthz"])
    it(`${path} is of the present`, () => expect(get(path)).toEqual({ do: "pass" }));
  it("a list is one at the revision, without pages", () =>
    expect(
      get("/api/v1/pods", [
        ["limit", "500"],
        ["labelSelector", "a=b"],
        ["fieldSelector", "spec.nodeName=n"],
      ]),
    ).toEqual({
      do: "list",
      query: [["labelSelector", "a=b"], ["fieldSelector", "spec.nodeName=n"], ...exact],
    }));
  const objects = [
    { path: "/api/v1/namespaces/a/pods/web", list: "/api/v1/namespaces/a/pods", resource: "pods", name: "web" },
    { path: "/api/v1/namespaces/a", list: "/api/v1/namespaces", resource: "namespaces", name: "a" },
    { path: "/apis/g/v1/things/x%3Ay", list: "/apis/g/v1/things", resource: "things", name: "x:y" },
  ];
  for (const { path, list, resource, name } of objects)
    it(`${path} is taken out of a list`, () =>
      expect(get(path)).toEqual({
        do: "get",
        path: list,
        resource,
        name,
        query: [["fieldSelector", `metadata.name=${name}`], ...exact],
      }));
  const refused = [
    { name: "a write", method: "POST", path: "/api/v1/namespaces/a/pods" },
    { name: "a deletion", method: "DELETE", path: "/api/v1/namespaces/a/pods/web" },
    { name: "a log", method: "GET", path: "/api/v1/namespaces/a/pods/web/log" },
    { name: "the status of a namespace", method: "GET", path: "/api/v1/namespaces/a/status" },
    { name: "a watch", method: "GET", path: "/api/v1/pods", query: [["watch", "true"]] as [string, string][] },
  ];
  for (const { name, method, path, query = [] } of refused)
    it(`${name} is refused`, () => expect(planPastRequest({ method, path, query }, 99).do).toBe("refuse"));
});
