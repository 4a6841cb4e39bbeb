import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { fieldErrorText, fieldPath } from "@coxswain/apimachinery/field";
import { describe, expect, it } from "vitest";
import { podRules } from "./rules.js";
import { checkPodTemplateSpec } from "./template-validation.js";
import { podTemplateWarnings } from "./warnings/warnings.js";

const on = new Set(builtInFeatureGates.filter((gate) => gate.default).map((gate) => gate.name));
const rules = podRules({ gates: { enabled: (gate) => on.has(gate) }, isPod: false });
const path = fieldPath("spec", "template");
const container = {
  name: "c",
  image: "i",
  terminationMessagePolicy: "File" as const,
  imagePullPolicy: "Always" as const,
};
const template = (spec: object, metadata: object = {}): PodTemplateSpec =>
  ({
    metadata,
    spec: {
      restartPolicy: "Always",
      dnsPolicy: "ClusterFirst",
      terminationGracePeriodSeconds: 30,
      containers: [container],
      ...spec,
    },
  }) as PodTemplateSpec;

describe("checkPodTemplateSpec", () => {
  const cases = [
    { name: "a good one", template: template({}), errors: [] },
    {
      name: "labels and annotations stand directly below the template",
      template: template({}, { labels: { a: "a b" }, annotations: { "-": "" } }),
      errors: ["spec.template.labels: Invalid value", "spec.template.annotations: Invalid value"],
    },
    {
      name: "ephemeral containers are only for pods",
      template: template({ ephemeralContainers: [{ ...container, name: "e" }] }),
      errors: ["spec.template.spec.ephemeralContainers: Forbidden: ephemeral containers not allowed in pod template"],
    },
    {
      name: "an image may be padded: it always could",
      template: template({ containers: [{ ...container, image: " " }] }),
      errors: [],
    },
    {
      name: "a host port may be left out on the host's network",
      template: template({
        hostNetwork: true,
        containers: [{ ...container, ports: [{ containerPort: 1, protocol: "TCP" }] }],
      }),
      errors: [],
    },
    {
      name: "but not be another",
      template: template({
        hostNetwork: true,
        containers: [{ ...container, ports: [{ containerPort: 1, hostPort: 2, protocol: "TCP" }] }],
      }),
      errors: [
        "spec.template.spec.containers[0].ports[0].hostPort: Invalid value: 2: must match `containerPort` when `hostNetwork` is true",
      ],
    },
    {
      name: "an image volume may come later",
      template: template({ volumes: [{ name: "v", image: { pullPolicy: "Always" } }] }),
      errors: [],
    },
    {
      name: "a token needs no account yet",
      template: template({
        volumes: [
          { name: "v", projected: { sources: [{ serviceAccountToken: { path: "t", expirationSeconds: 3600 } }] } },
        ],
      }),
      errors: [],
    },
    {
      name: "no spec at all lacks nearly everything",
      template: {} as PodTemplateSpec,
      errors: [
        "spec.template.spec.terminationGracePeriodSeconds: Required value",
        "spec.template.spec.containers: Required value",
        "spec.template.spec.restartPolicy: Required value",
        "spec.template.spec.dnsPolicy: Required value",
      ],
    },
  ];
  for (const { name, template, errors } of cases) {
    it(name, () => {
      const texts = checkPodTemplateSpec(template, path, rules).map(fieldErrorText);
      expect(texts.map((text, i) => text.slice(0, errors[i]?.length ?? text.length))).toEqual(errors);
    });
  }
});

describe("podTemplateWarnings", () => {
  it("name fields below the template", () =>
    expect(
      podTemplateWarnings(
        template({ nodeSelector: { "beta.kubernetes.io/os": "linux" }, terminationGracePeriodSeconds: -1 }),
        path,
      ),
    ).toEqual([
      'spec.template.spec.nodeSelector[beta.kubernetes.io/os]: deprecated since v1.14; use "kubernetes.io/os" instead',
      "spec.template.spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1",
    ]));
  const key = "container.apparmor.security.beta.kubernetes.io/c";
  it("an AppArmor annotation warns here, where nothing sets the field", () =>
    expect(podTemplateWarnings(template({}, { annotations: { [key]: "unconfined" } }), path)).toEqual([
      `spec.template.metadata.annotations[${key}]: deprecated since v1.30; use the "appArmorProfile" field instead`,
    ]));
  it("unless the pod's own profile is the same", () =>
    expect(
      podTemplateWarnings(
        template(
          { securityContext: { appArmorProfile: { type: "Unconfined" } } },
          { annotations: { [key]: "unconfined" } },
        ),
        path,
      ),
    ).toEqual([]));
});
