import { typeCodes } from "@coxswain/apimachinery/schema";
import { describe, expect, it } from "vitest";
import { builtInTypes } from "./index.js";

const pod = builtInTypes.get("io.k8s.api.core.v1.Pod");
const podSpec = builtInTypes.get("io.k8s.api.core.v1.PodSpec");

describe("the built-in types", () => {
  it("all of them link", () => {
    for (const name of builtInTypes.names()) expect(builtInTypes.get(name).name).toBe(name);
  });
  it("a pod's members stand in Go's order", () =>
    expect(pod.fields.map((field) => field.name)).toEqual(["kind", "apiVersion", "metadata", "spec", "status"]));
  it("containers merge by name", () => {
    const containers = podSpec.byName.get("containers");
    expect(containers).toMatchObject({ required: true, patchStrategy: ["merge"], patchMergeKey: "name" });
    expect(containers?.type).toMatchObject({ code: typeCodes.list, listType: "map", listKeys: ["name"] });
  });
  it("a named string has its Go name, an enum its values", () => {
    expect(builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta").byName.get("uid")?.type.name).toBe(
      "io.k8s.apimachinery.pkg.types.UID",
    );
    expect(podSpec.byName.get("restartPolicy")?.type.enumValues).toEqual(["Always", "Never", "OnFailure"]);
  });
  it("a named map keeps the member's facts", () =>
    expect(builtInTypes.get("io.k8s.api.core.v1.ResourceRequirements").byName.get("limits")?.type).toMatchObject({
      code: typeCodes.map,
      name: "io.k8s.api.core.v1.ResourceList",
    }));
  it("a type that is another's alias is that type", () =>
    expect(builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1beta1.Table")).toBe(
      builtInTypes.get("io.k8s.apimachinery.pkg.apis.meta.v1.Table"),
    ));
});
