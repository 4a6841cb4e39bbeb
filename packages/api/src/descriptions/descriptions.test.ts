import { describe, expect, it } from "vitest";
import { builtInTypes } from "../tables/index.js";
import { createDescriptions } from "./index.js";

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
