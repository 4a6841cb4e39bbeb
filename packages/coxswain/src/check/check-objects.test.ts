import { systemRuntime } from "@coxswain/runtime";
import { describe, expect, it } from "vitest";
import { type CheckOptions, checkObjects } from "./check-objects.js";
import { readObjects } from "./read-objects.js";

/** The findings of a check of a text, a line each. */
async function check(text: string, options: CheckOptions = {}): Promise<string[]> {
  const { objects, findings } = readObjects({ name: "a.yaml", text });
  const result = await checkObjects(systemRuntime(), objects, options);
  return [...findings, ...result.findings].map(
    ({ line, level, object, message }) => `${line} ${level} ${object ?? "-"}: ${message}`,
  );
}

const pod = (name: string, more = ""): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: ${name} }\nspec: { containers: [{ name: a, image: b${more} }] }\n`;

const definition = (name: string, more = ""): string => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: ${name}s.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: ${name}s, kind: ${name[0]?.toUpperCase()}${name.slice(1)} }
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties: { size: { type: integer, maximum: 3 } }
              x-kubernetes-validations: [{ rule: self.size != 2, message: two is odd }]
${more}`;

const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: { name: labelled }
spec:
  matchConstraints:
    resourceRules: [{ apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [serviceaccounts, configmaps] }]
  validations: [{ expression: has(object.metadata.labels), message: labels are wanted }]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: { name: labelled }
spec: { policyName: labelled, validationActions: [Deny] }
`;

describe("coxswain check", () => {
  const cases: { name: string; text: string; options?: CheckOptions; expected: string[] }[] = [
    { name: "what a cluster accepts has no findings", text: pod("a"), expected: [] },
    {
      name: "each field that is wrong is a finding at its line",
      text: "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec:\n  containers:\n  - name: A\n    ports:\n    - containerPort: 99999\n",
      expected: [
        "6 error Pod a: spec.containers[0].name: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
        "6 error Pod a: spec.containers[0].image: Required value",
        "8 error Pod a: spec.containers[0].ports[0].containerPort: Invalid value: 99999: must be between 1 and 65535, inclusive",
      ],
    },
    {
      name: "a pod without containers is refused by validation, past all plugins",
      text: "apiVersion: v1\nkind: Pod\nmetadata: { name: a }\nspec: { volumes: [] }\n",
      expected: ["4 error Pod a: spec.containers: Required value"],
    },
    {
      name: "an unknown field stands where it was written",
      text: `${pod("first")}---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndatta: {}\n`,
      expected: ['10 error ConfigMap c: strict decoding error: unknown field "datta"'],
    },
    {
      name: "items of a List are objects of their own",
      text: "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Secret\n  metadata: { name: s }\n  data: { a: '?' }\n",
      expected: [expect.stringMatching(/^4 error Secret s: Secret in version "v1" cannot be handled/) as never],
    },
    {
      name: "a definition counts for objects that stand before it",
      text: `apiVersion: example.com/v1\nkind: Boat\nmetadata: { name: b }\nspec:\n  size: 4\n---\n${definition("boat")}`,
      expected: ["5 error Boat b: spec.size: Invalid value: 4: spec.size in body should be less than or equal to 3"],
    },
    {
      name: "a custom resource whose name is no text is refused as a cluster refuses it",
      text: `${definition("boat")}---\napiVersion: example.com/v1\nkind: Boat\nmetadata: { name: true }\n`,
      expected: [
        '21 error Boat true: Boat in version "v1" cannot be handled as a Boat: json: cannot unmarshal bool into Go struct field ObjectMeta.name of type string',
      ],
    },
    {
      name: "a custom resource without metadata has no name",
      text: `${definition("boat")}---\napiVersion: example.com/v1\nkind: Boat\nspec: { size: 1 }\n`,
      expected: ["21 error Boat : metadata.name: Required value: name or generateName is required"],
    },
    {
      name: "CEL rules are evaluated",
      text: `${definition("boat")}---\napiVersion: example.com/v1\nkind: Boat\nmetadata: { name: b }\nspec: { size: 2 }\n`,
      expected: ["24 error Boat b: spec: Invalid value: two is odd"],
    },
    {
      name: "a definition with a conversion webhook serves without it",
      text: `${definition("boat", "  conversion: { strategy: Webhook, webhook: { conversionReviewVersions: [v1], clientConfig: { url: 'https://boats.example.com/c' } } }\n")}---\napiVersion: example.com/v1\nkind: Boat\nmetadata: { name: b }\nspec: { size: 1 }\n`,
      expected: [],
    },
    {
      name: "a kind that nobody defines is an error",
      text: "apiVersion: example.com/v1\nkind: Plane\nmetadata: { name: p }\n",
      expected: [
        '1 error Plane p: no matches for kind "Plane" in version "example.com/v1"; --crds names files with definitions',
      ],
    },
    {
      name: "and is passed over where that is asked for",
      text: "apiVersion: example.com/v1\nkind: Plane\nmetadata: { name: p }\n",
      options: { ignoreMissingKinds: true },
      expected: [
        '1 skipped Plane p: no matches for kind "Plane" in version "example.com/v1"; --crds names files with definitions',
      ],
    },
    {
      name: "policies count for all objects, also for those that are created before them",
      text: `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: s }\n---\n${policy}---\napiVersion: v1\nkind: ConfigMap\nmetadata: { name: c }\n`,
      expected: [
        "1 error ServiceAccount s: serviceaccounts \"s\" is forbidden: ValidatingAdmissionPolicy 'labelled' with binding 'labelled' denied request: labels are wanted",
        "18 error ConfigMap c: configmaps \"c\" is forbidden: ValidatingAdmissionPolicy 'labelled' with binding 'labelled' denied request: labels are wanted",
      ],
    },
    {
      name: "quotas count what is checked",
      text: `apiVersion: v1\nkind: ResourceQuota\nmetadata: { name: q }\nspec: { hard: { pods: 1 } }\n---\n${pod("a")}---\n${pod("b")}`,
      expected: [
        '11 error Pod b: pods "b" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1',
      ],
    },
    {
      name: "webhooks are never called",
      text: `apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: { name: w }\nwebhooks: [{ name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], clientConfig: { url: 'https://a.example.com/' }, rules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }] }]\n---\n${pod("a")}`,
      expected: [],
    },
    {
      name: "an object that is there twice is a warning, and the second one is checked as applied to the first",
      text: `${pod("a")}---\n${pod("a", ", command: [x]")}`,
      expected: [
        "6 warning Pod a: is defined before, at a.yaml:1",
        expect.stringMatching(/^9 error Pod a: spec: Forbidden: pod updates may not change fields other than/) as never,
      ],
    },
    {
      name: "deprecated versions are warnings",
      text: "apiVersion: v1\nkind: Endpoints\nmetadata: { name: e }\n",
      expected: ["1 warning Endpoints e: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice"],
    },
    {
      name: "the namespace of the options is for namespaced objects that name none",
      text: `apiVersion: v1\nkind: Namespace\nmetadata: { name: other }\n---\n${pod("a", ", imagePullPolicy: X")}`,
      options: { namespace: "team" },
      expected: [
        '8 error Pod team/a: spec.containers[0].imagePullPolicy: Unsupported value: "X": supported values: "Always", "IfNotPresent", "Never"',
      ],
    },
    {
      name: "what is no YAML is found at its line, and the other documents are checked",
      text: `a: b\nc: [\n---\n${pod("A")}---\nkind: Pod\n`,
      expected: [
        expect.stringMatching(/^\d+ error -: yaml: line \d+: /) as never,
        "9 error -: Object 'apiVersion' is missing",
        expect.stringMatching(/^6 error Pod A: metadata.name: Invalid value: "A"/) as never,
      ],
    },
    {
      name: "documents of helm are findings in their template",
      text: `---\n# Source: chart/templates/pod.yaml\n${pod("a", ", imagePullPolicy: X")}`,
      expected: [expect.stringContaining("imagePullPolicy: Unsupported value") as never],
    },
  ];
  for (const { name, text, options, expected } of cases)
    it(name, async () => expect(await check(text, options)).toEqual(expected));
});
