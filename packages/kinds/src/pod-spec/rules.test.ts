import type { PodSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import type { PodRules } from "./pod-rules.js";
import { podRules } from "./rules.js";

const spec = (more: Partial<PodSpec>): PodSpec => ({ containers: [{ name: "c", image: "i" }], ...more });
const rulesAfter = (old: PodSpec | undefined, gates: readonly string[] = []): PodRules =>
  podRules({
    gates: { enabled: (gate) => gates.includes(gate) },
    isPod: true,
    old: old && { spec: old, annotations: undefined },
  });

const selector = { matchLabels: { a: "-" } };
const hugePages = { name: "c", image: "i", resources: { limits: { "hugepages-2Mi": "3Mi" } } };
const token = { name: "v", projected: { sources: [{ serviceAccountToken: { path: "/abs" } }] } };

describe("what a stored object holds stays allowed", () => {
  const cases: { name: string; old: PodSpec; rule: keyof PodRules }[] = [
    { name: "a part of a huge page", old: spec({ containers: [hugePages] }), rule: "indivisibleHugePages" },
    {
      name: "a label value that is none, in affinity",
      old: spec({
        affinity: {
          podAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector: selector, topologyKey: "z" }],
          },
        },
      }),
      rule: "invalidAffinitySelectors",
    },
    {
      name: "the same in what is only preferred",
      old: spec({
        affinity: {
          podAntiAffinity: {
            preferredDuringSchedulingIgnoredDuringExecution: [
              { weight: 1, podAffinityTerm: { labelSelector: selector, topologyKey: "z" } },
            ],
          },
        },
      }),
      rule: "invalidAffinitySelectors",
    },
    {
      name: "the same for nodes",
      old: spec({
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: "k", operator: "In", values: ["-"] }] }],
            },
          },
        },
      }),
      rule: "invalidNodeAffinityValues",
    },
    {
      name: "the same for spreading",
      old: spec({
        topologySpreadConstraints: [
          { maxSkew: 1, topologyKey: "z", whenUnsatisfiable: "DoNotSchedule", labelSelector: selector },
        ],
      }),
      rule: "invalidSpreadSelectors",
    },
    { name: "a token outside of its volume", old: spec({ volumes: [token] }), rule: "nonLocalTokenPaths" },
    {
      name: "a sysctl of the host's network",
      old: spec({ hostNetwork: true, securityContext: { sysctls: [{ name: "net.a", value: "1" }] } }),
      rule: "hostSysctls",
    },
    {
      name: "devices beside users of its own",
      old: spec({
        hostUsers: false,
        containers: [{ name: "c", image: "i", volumeDevices: [{ name: "v", devicePath: "/d" }] }],
      }),
      rule: "volumeDevicesWithUserNamespaces",
    },
    {
      name: "the host's network beside users of its own",
      old: spec({ hostUsers: false, hostNetwork: true }),
      rule: "hostNetworkWithUserNamespaces",
    },
    {
      name: "a variable from a file",
      old: spec({
        containers: [
          {
            name: "c",
            image: "i",
            env: [{ name: "A", valueFrom: { fileKeyRef: { volumeName: "v", path: "p", key: "k" } } }],
          },
        ],
      }),
      rule: "envFiles",
    },
    {
      name: "a container's own restart policy",
      old: spec({ containers: [{ name: "c", image: "i", restartPolicy: "Never" }] }),
      rule: "restartRules",
    },
    {
      name: "rules on a sidecar",
      old: spec({
        initContainers: [
          { name: "s", image: "i", restartPolicy: "Always", restartPolicyRules: [{ action: "Restart" }] },
        ],
      }),
      rule: "restartAllContainers",
    },
    {
      name: "a toleration that compares",
      old: spec({ tolerations: [{ key: "k", operator: "Lt", value: "1" }] }),
      rule: "comparingTolerations",
    },
    {
      name: "an init container restarted by its resize",
      old: spec({
        initContainers: [
          { name: "i", image: "i", resizePolicy: [{ resourceName: "cpu", restartPolicy: "RestartContainer" }] },
        ],
      }),
      rule: "restartingInitContainerResize",
    },
  ];
  for (const { name, old, rule } of cases) {
    it(name, () =>
      expect([rulesAfter(undefined)[rule], rulesAfter(spec({}))[rule], rulesAfter(old)[rule]]).toEqual([
        false,
        false,
        true,
      ]),
    );
  }
  it("any change policy of SELinux", () => {
    expect(rulesAfter(undefined).onlyRecursiveSELinuxChange).toBe(true);
    expect(rulesAfter(spec({ securityContext: { seLinuxChangePolicy: "Recursive" } })).onlyRecursiveSELinuxChange).toBe(
      false,
    );
  });
  it("a deletion cost that is no number", () => {
    const gates = { enabled: () => true };
    const costs = (cost: string): boolean =>
      podRules({
        gates,
        isPod: true,
        old: { spec: spec({}), annotations: { "controller.kubernetes.io/pod-deletion-cost": cost } },
      }).invalidDeletionCost;
    expect([costs("1"), costs("x")]).toEqual([false, true]);
  });
});

describe("label keys for spreading", () => {
  const [keys, merge] = ["MatchLabelKeysInPodTopologySpread", "MatchLabelKeysInPodTopologySpreadSelectorMerge"];
  const spread = (matchExpressions: { key: string; operator: string }[]): PodSpec =>
    spec({
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: "z",
          whenUnsatisfiable: "DoNotSchedule",
          matchLabelKeys: ["k"],
          labelSelector: { matchExpressions },
        },
      ],
    });
  const once = spread([{ key: "k", operator: "Exists" }]);
  const twice = spread([
    { key: "k", operator: "Exists" },
    { key: "k", operator: "Exists" },
  ]);
  const cases: { name: string; old?: PodSpec; gates: string[]; rule: PodRules["matchLabelKeysInSpread"] }[] = [
    { name: "no feature at all", gates: [], rule: "kept apart" },
    { name: "a new object", gates: [keys, merge], rule: "merged" },
    { name: "a new object before merging", gates: [keys], rule: "kept apart" },
    { name: "an old one that was merged", old: once, gates: [keys, merge], rule: "merged" },
    { name: "an old one from before, with the key selected", old: twice, gates: [keys, merge], rule: "kept apart" },
    { name: "an old one that was merged before merging was switched off", old: once, gates: [keys], rule: "merged" },
  ];
  for (const { name, old, gates, rule } of cases)
    it(name, () => expect(rulesAfter(old, gates).matchLabelKeysInSpread).toBe(rule));
});
