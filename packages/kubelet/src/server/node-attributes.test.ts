import { describe, expect, it } from "vitest";
import { subresourcesOf, verbOf } from "./node-attributes.js";

describe("what a path of the kubelet is to the authorizer", () => {
  const cases = [
    { path: "/metrics", subresources: ["metrics"] },
    { path: "/metrics/resource", subresources: ["metrics"] },
    { path: "/metricsx", subresources: ["proxy"] },
    { path: "/stats/summary", subresources: ["stats"] },
    { path: "/logs/kubelet.log", subresources: ["log"] },
    { path: "/checkpoint/default/web/main", subresources: ["checkpoint"] },
    { path: "/flagz", subresources: ["configz"] },
    { path: "/statusz", subresources: ["statusz"] },
    { path: "/pods", subresources: ["pods", "proxy"] },
    { path: "/runningpods/", subresources: ["pods", "proxy"] },
    { path: "/healthz/ping", subresources: ["healthz", "proxy"] },
    { path: "/configz", subresources: ["configz", "proxy"] },
    { path: "/exec/default/web/main", subresources: ["proxy"] },
    { path: "/run/default/web/main", subresources: ["proxy"] },
    { path: "/containerLogs/default/web/main", subresources: ["proxy"] },
    { path: "/", subresources: ["proxy"] },
  ];
  for (const { path, subresources } of cases) it(path, () => expect(subresourcesOf(path)).toEqual(subresources));

  it("methods are API verbs", () => {
    expect(["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"].map(verbOf)).toEqual([
      "get",
      "create",
      "update",
      "patch",
      "delete",
      "",
    ]);
  });
});
