import { createHash } from "node:crypto";
import type { CustomResourceDefinition, CustomResourceDefinitionVersion } from "@coxswain/api/apiextensions/v1";
import { describe, expect, it } from "vitest";
import { customResourceFacts } from "./resource-facts.js";
import type { Definition } from "./version-spec.js";

const sha256 = (text: string): Uint8Array => createHash("sha256").update(text).digest();
const version = (
  name: string,
  more: Partial<CustomResourceDefinitionVersion> = {},
): CustomResourceDefinitionVersion => ({
  name,
  served: true,
  storage: false,
  ...more,
});
const names = {
  plural: "crontabs",
  singular: "crontab",
  kind: "CronTab",
  listKind: "CronTabList",
  shortNames: ["ct"],
  categories: ["all"],
};
const definition = (
  versions: CustomResourceDefinitionVersion[],
  status: CustomResourceDefinition["status"] = {},
): Definition => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "crontabs.stable.example.com" },
  spec: { group: "stable.example.com", scope: "Namespaced", names, versions },
  status: { acceptedNames: names, ...status },
});
const factsOf = (versions: CustomResourceDefinitionVersion[], at = 0, status?: CustomResourceDefinition["status"]) =>
  customResourceFacts(definition(versions, status), versions[at]!, sha256);

describe("how discovery describes a custom resource", () => {
  const stored = version("v1", { storage: true });

  it("has the names that were accepted", () =>
    expect(factsOf([stored])).toMatchObject({ singular: "crontab", shortNames: ["ct"], categories: ["all"] }));
  it("allows every verb", () =>
    expect(factsOf([stored]).verbs).toEqual([
      "delete",
      "deletecollection",
      "get",
      "list",
      "patch",
      "create",
      "update",
      "watch",
    ]));
  it("allows no writes while the definition is deleted", () =>
    expect(factsOf([stored], 0, { conditions: [{ type: "Terminating", status: "True" }] }).verbs).toEqual([
      "delete",
      "deletecollection",
      "get",
      "list",
      "watch",
    ]));
  it("names its views", () => {
    const scale = { specReplicasPath: ".spec.a", statusReplicasPath: ".status.b" };
    const { subresources } = factsOf([version("v1", { storage: true, subresources: { status: {}, scale } })]);
    expect(subresources.map(({ name, kind }) => [name, kind.kind])).toEqual([
      ["status", "CronTab"],
      ["scale", "Scale"],
    ]);
  });
  it("has the hash of the stored version", () =>
    expect(factsOf([version("v2"), stored]).hash).toBe(
      createHash("sha256").update("stable.example.com/v1/CronTab").digest().subarray(0, 8).toString("base64"),
    ));
  it("has no hash where the stored version is not served", () =>
    expect(factsOf([version("v2"), version("v1", { storage: true, served: false })]).hash).toBe(""));
  it("publishes no schema that is not structural", () =>
    expect(
      factsOf([version("v1", { schema: { openAPIV3Schema: { type: "object", properties: { a: {} } } } })]).custom,
    ).toEqual({ openAPIV3Schema: undefined }));
});

describe("warnings about a deprecated version", () => {
  const cases = [
    { name: "none where it is not deprecated", versions: [version("v1")], warning: undefined },
    {
      name: "its own",
      versions: [version("v1", { deprecated: true, deprecationWarning: "go away" })],
      warning: "go away",
    },
    {
      name: "without another version to use",
      versions: [version("v1", { deprecated: true }), version("v1beta1"), version("v2", { deprecated: true })],
      warning: "stable.example.com/v1 CronTab is deprecated",
    },
    {
      name: "with the newest version to use",
      versions: [version("v1beta1", { deprecated: true }), version("v1"), version("v2"), version("v3alpha1")],
      warning: "stable.example.com/v1beta1 CronTab is deprecated; use stable.example.com/v2 CronTab",
    },
    {
      name: "with no version that is not served",
      versions: [version("v1", { deprecated: true }), version("v2", { served: false })],
      warning: "stable.example.com/v1 CronTab is deprecated",
    },
  ];
  for (const { name, versions, warning } of cases)
    it(name, () => expect(factsOf(versions).deprecation?.warning).toBe(warning));
});
