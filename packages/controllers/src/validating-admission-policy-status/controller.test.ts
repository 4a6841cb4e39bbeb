import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { validatingAdmissionPolicyStatusController } from "./controller.js";
import { kindsToCheck } from "./kinds-to-check.js";

describe("kinds that a policy is checked by", () => {
  const kindFor = ({ group, version, resource }: { group: string; version: string; resource: string }) => ({
    group,
    version,
    kind: resource.toUpperCase(),
  });
  const rule = (apiGroups: string[], apiVersions: string[], resources: string[]) => ({
    apiGroups,
    apiVersions,
    resources,
    operations: ["*"],
  });
  const kinds = (...resourceRules: ReturnType<typeof rule>[]) =>
    kindsToCheck({ matchConstraints: { resourceRules: resourceRules as never } }, kindFor).map(
      ({ group, version, kind }) => `${group}/${version}/${kind}`,
    );
  it("are in order, and each once", () =>
    expect(kinds(rule(["b", "a"], ["v1"], ["y", "x"]), rule(["a"], ["v1"], ["x"]))).toEqual([
      "a/v1/X",
      "a/v1/Y",
      "b/v1/X",
      "b/v1/Y",
    ]));
  it("do not come from wildcards and subresources", () =>
    expect(kinds(rule(["*"], ["v1"], ["x"]), rule(["a"], ["v1"], ["*", "x/status"]))).toEqual([]));
  it("are ten at most", () => expect(kinds(rule(["a"], ["v1"], [..."abcdefghijklmn"])).length).toBe(10));
});

describe("the status of a ValidatingAdmissionPolicy", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("has what is wrong with its expressions, for built-in kinds", async () => {
    cluster = await startTestCluster({ controllers: [validatingAdmissionPolicyStatusController] });
    const policies = cluster.client.admissionregistration.v1.validatingadmissionpolicies();
    await policies.create({
      metadata: { name: "p" },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["CREATE"], resources: ["deployments"] },
          ],
        },
        validations: [
          { expression: "object.spec.replicas > 1", messageExpression: "'replicas: ' + string(object.spec.replicas)" },
          { expression: "object.spec.replicas > '1'", messageExpression: "'a' + object.spec.replicas" },
          { expression: "object.foo.bar == true" },
        ],
      },
    });
    await cluster.settle();
    const { status } = await policies.get("p");
    expect(status?.observedGeneration).toBe(1);
    expect(
      status?.typeChecking?.expressionWarnings?.map(({ fieldRef, warning }) => [fieldRef, warning.split("\n")[0]]),
    ).toEqual([
      [
        "spec.validations[1].expression",
        "apps/v1, Kind=Deployment: ERROR: <input>:1:22: found no matching overload for '_>_' applied to '(int, string)'",
      ],
      [
        "spec.validations[1].messageExpression",
        "apps/v1, Kind=Deployment: ERROR: <input>:1:5: found no matching overload for '_+_' applied to '(string, int)'",
      ],
      ["spec.validations[2].expression", "apps/v1, Kind=Deployment: ERROR: <input>:1:7: undefined field 'foo'"],
    ]);
  });
});
