import { describe, expect, it } from "vitest";
import { builtInTypes } from "../tables/index.js";
import { createDescriptions, loadDescriptions } from "./index.js";

const texts = createDescriptions({
  "io.k8s.api.core.v1.Affinity": ["A group of rules.", {}],
  "io.k8s.api.core.v1.PodSpec": ["What a pod is to be.", { nodeName: "The node it runs on." }],
});
const pod = builtInTypes.get("io.k8s.api.core.v1.Pod");
const podSpec = builtInTypes.get("io.k8s.api.core.v1.PodSpec");

describe("descriptions", () => {
  const cases = [
    { name: "a type", text: texts.ofType("io.k8s.api.core.v1.PodSpec"), want: "What a pod is to be." },
    { name: "a type without one", text: texts.ofType("io.k8s.api.core.v1.Node"), want: "" },
    { name: "a type that is called like a member of every object", text: texts.ofType("constructor"), want: "" },
    { name: "a member", text: texts.ofMember(podSpec, "nodeName"), want: "The node it runs on." },
    {
      name: "a member without one gets its type's description",
      text: texts.ofMember(podSpec, "affinity"),
      want: "A group of rules.",
    },
    {
      name: "a list's member",
      text: texts.ofMember(builtInTypes.get("io.k8s.api.core.v1.PodList"), "metadata"),
      want: "Standard list metadata.",
    },
    // Conformance and upstream's own scripts look for these beginnings.
    { name: "metadata", text: texts.ofMember(pod, "metadata"), want: "Standard object's metadata." },
    { name: "apiVersion", text: texts.ofMember(pod, "apiVersion").slice(0, 18), want: "APIVersion defines" },
  ];
  for (const { name, text, want } of cases) it(name, () => expect(text).toBe(want));
});

const built = await loadDescriptions();

/** Before the package is built there are no texts. */
describe.skipIf(built.ofType("io.k8s.api.core.v1.Pod") === "")("texts of the built package", () => {
  const structs = [
    { type: "io.k8s.api.apps.v1.Deployment", member: "spec", begins: "Specification of the desired behavior" },
    { type: "io.k8s.api.apps.v1.DeploymentSpec", member: "template", begins: "Template describes the pods" },
    { type: "io.k8s.api.core.v1.PodSpec", member: "affinity", begins: "If specified, the pod's scheduling" },
    { type: "io.k8s.api.core.v1.Probe", member: "httpGet", begins: "HTTPGet specifies" },
  ];
  for (const { type, member, begins } of structs)
    it(`${type}.${member} is described by its own comment, not by its type's`, () =>
      expect(built.ofMember(builtInTypes.get(type), member).slice(0, begins.length)).toBe(begins));
});
