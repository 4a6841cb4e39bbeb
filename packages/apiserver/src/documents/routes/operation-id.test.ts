import assert from "node:assert/strict";
import { describe, it } from "vitest";
import { operationNames } from "./operation-id.js";

describe("operationNames", () => {
  const cases = [
    {
      operation: "listNamespacedPod",
      path: "/api/v1/namespaces/{namespace}/pods",
      want: "listCoreV1NamespacedPod",
      tag: "core_v1",
    },
    { operation: "deletecollectionNode", path: "/api/v1/nodes", want: "deleteCoreV1CollectionNode", tag: "core_v1" },
    {
      operation: "readFlowSchema",
      path: "/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas/{name}",
      want: "readFlowcontrolApiserverV1FlowSchema",
      tag: "flowcontrolApiserver_v1",
    },
    { operation: "getAPIGroup", path: "/apis/apps/", want: "getAppsAPIGroup", tag: "apps" },
    { operation: "getAPIVersions", path: "/apis/", want: "getAPIVersions", tag: "apis" },
    { operation: "getCodeVersion", path: "/version/", want: "getCodeVersion", tag: "version" },
    { operation: "createFoo", path: "/apis/3scale.net/v1/foos", want: "createScaleNetV1Foo", tag: "ScaleNet_v1" },
    {
      operation: "createFoo",
      path: "/apis/my-group.example.com/v1beta1/foos",
      want: "createMyGroupExampleComV1beta1Foo",
      tag: "myGroupExampleCom_v1beta1",
    },
  ];
  for (const c of cases) {
    it(`${c.operation} of ${c.path}`, () => {
      const names = operationNames(c.path);
      assert.deepEqual([names.idOf(c.operation), names.tag], [c.want, c.tag]);
    });
  }
  it("needs a verb", () =>
    assert.throws(() => operationNames("/api/v1/pods").idOf("pods"), /does not begin with a verb/));
});
