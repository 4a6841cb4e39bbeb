import { describe, expect, it } from "vitest";
import type { AdmissionAttributes } from "../admission.js";
import { attributesOf, listerOf, pod } from "../attributes.test.support.js";
import { readPodSecurityConfiguration } from "./configuration.js";
import { createPodSecurity } from "./pod-security.js";

const label = (name: string): string => `pod-security.kubernetes.io/${name}`;
const configuration = (document: object) =>
  readPodSecurityConfiguration({
    plugin: "PodSecurity",
    document: { apiVersion: "pod-security.admission.config.k8s.io/v1", kind: "PodSecurityConfiguration", ...document },
    readFile: () => "",
  });
const exemptions = { usernames: ["root"], namespaces: ["free"], runtimeClasses: ["sandbox"] };

interface Outcome {
  refused?: string;
  warnings: string[];
  notes: Record<string, string>;
}

/** The plugin's warnings, annotations and verdict for a write in a namespace with these labels. */
async function evaluate(
  labels: Record<string, string>,
  attributes: AdmissionAttributes,
  existing: Record<string, unknown> = {},
): Promise<Outcome> {
  const namespaces = listerOf<never>({
    [`/registry/namespaces/${attributes.namespace}`]: { metadata: { name: attributes.namespace, labels } },
  });
  const plugin = createPodSecurity({
    namespaces,
    pods: listerOf(existing),
    configuration: configuration({ exemptions }),
    now: () => 0,
  });
  const outcome: Outcome = { warnings: [], notes: {} };
  const request = {
    warn: (text: string) => void outcome.warnings.push(text),
    annotate: (key: string, value: string) =>
      void (outcome.notes[key.replace("pod-security.kubernetes.io/", "")] = value),
  };
  try {
    await plugin.validate?.({ ...attributes, request });
  } catch (err) {
    outcome.refused = (err as Error).message;
  }
  return outcome;
}

const bad = pod({ hostPID: true });
const violation = "host namespaces (hostPID=true)";
const restrictedForm = {
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
  containers: [
    { name: "c", image: "app", securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } } },
  ],
};

const cases = [
  {
    name: "nothing is asked for",
    labels: {},
    attributes: attributesOf("pods", bad),
    outcome: { warnings: [], notes: { "enforce-policy": "privileged:latest" } },
  },
  {
    name: "what is enforced is noted with what is audited",
    labels: { [label("enforce")]: "baseline", [label("audit")]: "baseline", [label("audit-version")]: "v1.20" },
    attributes: attributesOf("pods", bad),
    outcome: {
      refused: `pods "x" is forbidden: violates PodSecurity "baseline:latest": ${violation}`,
      warnings: [],
      notes: {
        "enforce-policy": "baseline:latest",
        "audit-violations": `would violate PodSecurity "baseline:v1.20": ${violation}`,
      },
    },
  },
  {
    name: "a pod may be better than it needs to be",
    labels: { [label("enforce")]: "restricted" },
    attributes: attributesOf("pods", pod(restrictedForm)),
    outcome: { warnings: [], notes: { "enforce-policy": "restricted:latest" } },
  },
  {
    name: "a warning alone",
    labels: { [label("warn")]: "baseline" },
    attributes: attributesOf("pods", bad),
    outcome: {
      warnings: [`would violate PodSecurity "baseline:latest": ${violation}`],
      notes: { "enforce-policy": "privileged:latest" },
    },
  },
  {
    name: "a label that means nothing is the strictest",
    labels: { [label("enforce")]: "high" },
    attributes: attributesOf("pods", pod({ ...restrictedForm, hostIPC: true })),
    outcome: {
      refused: 'pods "x" is forbidden: violates PodSecurity "restricted:latest": host namespaces (hostIPC=true)',
      warnings: [],
      notes: {
        error:
          'Failed to parse policy: metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: "high": must be one of privileged, baseline, restricted',
        "enforce-policy": "restricted:latest",
      },
    },
  },
  {
    name: "an exempt user",
    labels: { [label("enforce")]: "baseline" },
    attributes: attributesOf("pods", bad, { user: { name: "root", groups: [] } }),
    outcome: { warnings: [], notes: { exempt: "user" } },
  },
  {
    name: "an exempt namespace",
    labels: { [label("enforce")]: "baseline" },
    attributes: attributesOf("pods", bad, { namespace: "free" }),
    outcome: { warnings: [], notes: { exempt: "namespace" } },
  },
  {
    name: "an exempt runtime class",
    labels: { [label("enforce")]: "baseline" },
    attributes: attributesOf("pods", pod({ hostPID: true, runtimeClassName: "sandbox" })),
    outcome: { warnings: [], notes: { exempt: "runtimeClass" } },
  },
  {
    name: "an update that changes no image",
    labels: { [label("enforce")]: "baseline" },
    attributes: attributesOf("pods", bad, { operation: "UPDATE", old: bad }),
    outcome: { warnings: [], notes: {} },
  },
  {
    name: "the status",
    labels: { [label("enforce")]: "baseline" },
    attributes: attributesOf("pods", bad, { operation: "UPDATE", subresource: "status", old: bad }),
    outcome: { warnings: [], notes: {} },
  },
  {
    name: "an ephemeral container",
    labels: { [label("enforce")]: "baseline" },
    attributes: attributesOf("pods", pod({ hostPID: true, ephemeralContainers: [{ name: "e", image: "shell" }] }), {
      operation: "UPDATE",
      subresource: "ephemeralcontainers",
      old: bad,
    }),
    outcome: {
      refused: `pods "x" is forbidden: violates PodSecurity "baseline:latest": ${violation}`,
      warnings: [],
      notes: { "enforce-policy": "baseline:latest" },
    },
  },
  {
    name: "a template is warned of, not refused",
    labels: { [label("enforce")]: "baseline" },
    attributes: attributesOf("batch/cronjobs", {
      metadata: { name: "x" },
      spec: { jobTemplate: { spec: { template: { spec: { hostPID: true, containers: [] } } } } },
    }),
    outcome: { warnings: [`would violate PodSecurity "baseline:latest": ${violation}`], notes: {} },
  },
];

describe("what a namespace asks of its pods", () => {
  for (const { name, labels, attributes, outcome } of cases)
    it(name, async () => expect(await evaluate(labels as Record<string, string>, attributes)).toEqual(outcome));

  it("gets warnings for the pods that are there, once for each controller first and no more than 3000", async () => {
    const of = (name: string, uid?: string, spec: object = { hostPID: true }) => [
      `/registry/pods/n/${name}`,
      pod(spec, {
        name,
        ...(uid && {
          ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: uid, uid, controller: true }],
        }),
      }),
    ];
    const existing = Object.fromEntries([
      ...Array.from({ length: 3000 }, (_, i) => of(`many-${String(i).padStart(4, "0")}`, "rs")),
      of("z-alone", undefined, { hostIPC: true }),
      of("sandboxed", undefined, { hostPID: true, runtimeClassName: "sandbox" }),
    ]) as Record<string, unknown>;
    const namespace = (labels: object) => ({ metadata: { name: "n", labels } });
    const attributes = attributesOf("namespaces", namespace({ [label("enforce")]: "baseline" }), {
      operation: "UPDATE",
      name: "n",
      old: namespace({}) as never,
    });
    expect((await evaluate({}, attributes, existing)).warnings).toEqual([
      "new PodSecurity enforce level only checked against the first 3000 of 3001 existing pods",
      'existing pods in namespace "n" violate the new PodSecurity enforce level "baseline:latest"',
      "many-0000 (and 2999 other pods): host namespaces",
    ]);
  });
});

describe("the configuration", () => {
  it("reports all that is wrong with it", () =>
    expect(() =>
      configuration({
        defaults: { enforce: "high", "audit-version": "1.2" },
        exemptions: { namespaces: ["a", "a", "B"], usernames: [""] },
      }),
    ).toThrow(
      'PodSecurity invalid: [defaults.enforce: Invalid value: "high": must be one of privileged, baseline, restricted, defaults.audit-version: Invalid value: "1.2": must be "latest" or "v1.x", exemptions.namespaces[1]: Duplicate value: "a", exemptions.namespaces[2]: Invalid value: "B"',
    ));
});
