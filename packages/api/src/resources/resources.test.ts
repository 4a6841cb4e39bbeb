import { describe, expect, it } from "vitest";
import { builtInTypes } from "../tables/index.js";
import { builtInGroups, builtInResources, findResource } from "./index.js";

const stored = (path: string): string | undefined => {
  const [group = "", version = "", resource = ""] = path.split("/");
  const storage = findResource(group, version, resource)?.storage;
  return storage && `${storage.prefix} ${storage.group}/${storage.version}`;
};

describe("the built-in resources", () => {
  it("each has a type in the tables, and its list too", () => {
    for (const info of builtInResources) {
      expect(builtInTypes.has(info.schema)).toBe(true);
      if (info.listKind) expect(builtInTypes.has(`${info.schema}List`)).toBe(true);
    }
  });
  const keys = [
    { resource: "/v1/pods", storage: "pods /v1" },
    { resource: "/v1/nodes", storage: "minions /v1" },
    { resource: "/v1/services", storage: "services/specs /v1" },
    { resource: "/v1/endpoints", storage: "services/endpoints /v1" },
    { resource: "/v1/replicationcontrollers", storage: "controllers /v1" },
    { resource: "networking.k8s.io/v1/ingresses", storage: "ingress networking.k8s.io/v1" },
    { resource: "events.k8s.io/v1/events", storage: "events /v1" },
    { resource: "autoscaling/v1/horizontalpodautoscalers", storage: "horizontalpodautoscalers autoscaling/v2" },
    {
      resource: "admissionregistration.k8s.io/v1/mutatingadmissionpolicies",
      storage: "mutatingadmissionpolicies admissionregistration.k8s.io/v1beta1",
    },
    {
      resource: "apiextensions.k8s.io/v1/customresourcedefinitions",
      storage: "apiextensions.k8s.io/customresourcedefinitions apiextensions.k8s.io/v1beta1",
    },
    {
      resource: "apiregistration.k8s.io/v1/apiservices",
      storage: "apiregistration.k8s.io/apiservices apiregistration.k8s.io/v1",
    },
    { resource: "/v1/bindings", storage: undefined },
  ];
  for (const { resource, storage } of keys)
    it(`${resource} is kept as ${storage}`, () => expect(stored(resource)).toBe(storage));

  it("exactly 22 versions of groups and the core are served by default", () =>
    expect(builtInGroups.flatMap((group) => group.versions.filter((version) => version.servedByDefault))).toHaveLength(
      22,
    ));
  it("no alpha or beta version is among them", () =>
    expect(builtInResources.filter((info) => info.servedByDefault && /alpha|beta/.test(info.version))).toEqual([]));
  it("a label may be another's name", () => {
    expect(findResource("", "v1", "pods")?.selectableFields).toContain("spec.nodeName");
    expect(findResource("events.k8s.io", "v1", "events")?.fieldAliases?.["regarding.kind"]).toBe("involvedObject.kind");
    expect(findResource("resource.k8s.io", "v1", "resourceslices")?.selectableFields).toEqual([
      "metadata.name",
      "spec.nodeName",
      "spec.driver",
    ]);
  });
  it("a deprecated kind has since when it is and what to use", () =>
    expect(findResource("", "v1", "endpoints")?.lifecycle).toEqual({
      introduced: "1.0",
      deprecated: "1.33",
      replacement: { group: "discovery.k8s.io", version: "v1", kind: "EndpointSlice" },
    }));
});
