import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { createFeatureGates } from "@coxswain/component/feature-gates";
import { describeWith } from "@coxswain/tools/needs";
import { cachedOwnProgram } from "@coxswain/tools/programs";
import { describe, it } from "vitest";
import { parseSchedulerConfig } from "./parse-config.js";

const gates = createFeatureGates(builtInFeatureGates);
const head = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

describe("parseSchedulerConfig", () => {
  it("fills in upstream's defaults", () => {
    const config = parseSchedulerConfig(head, gates);
    assert.equal(config.profiles[0]?.schedulerName, "default-scheduler");
    assert.equal(config.podMaxBackoffSeconds, 10);
    assert.equal(config.leaderElection.leaseDurationMs, 15_000);
    assert.deepEqual(config.profiles[0]?.pluginConfig.get("DefaultPreemption"), {
      minCandidateNodesPercentage: 10,
      minCandidateNodesAbsolute: 100,
    });
  });

  it("keeps the place of a default plugin that gets another weight, and drops those that are disabled", () => {
    const { profiles } = parseSchedulerConfig(
      `${head}profiles:
- plugins:
    multiPoint:
      enabled: [{name: NodeAffinity, weight: 7}, {name: Custom}]
      disabled: [{name: ImageLocality}]
`,
      gates,
    );
    const names = profiles[0]?.plugins.multiPoint.enabled.map(({ name, weight }) => `${name} ${weight}`) ?? [];
    assert.equal(names[5], "NodeAffinity 7");
    assert.equal(names.at(-1), "Custom 0");
    assert.ok(!names.some((name) => name.startsWith("ImageLocality")));
  });
});

/** Each is refused, with upstream's message. */
const wrong: readonly { readonly name: string; readonly text: string }[] = [
  { name: "an unknown member", text: "paralelism: 3\n" },
  { name: "no parallelism", text: "parallelism: 0\n" },
  { name: "a back-off that ends before it begins", text: "podInitialBackoffSeconds: 5\npodMaxBackoffSeconds: 2\n" },
  { name: "a share of more than all nodes", text: "percentageOfNodesToScore: 101\n" },
  { name: "two profiles of one name", text: "profiles: [{schedulerName: a}, {schedulerName: a}]\n" },
  { name: "profiles without names", text: "profiles: [{schedulerName: a}, {}]\n" },
  {
    name: "two extenders that bind",
    text: "extenders: [{urlPrefix: http://a, bindVerb: b}, {urlPrefix: http://b, bindVerb: b}]\n",
  },
  { name: "an extender that scores without a weight", text: "extenders: [{urlPrefix: http://a, prioritizeVerb: p}]\n" },
  {
    name: "a managed resource of Kubernetes itself",
    text: "extenders: [{urlPrefix: http://a, managedResources: [{name: kubernetes.io/foo}]}]\n",
  },
  {
    name: "a lease that is shorter than its renewal",
    text: "leaderElection: {leaseDuration: 5s, renewDeadline: 10s}\n",
  },
  { name: "another kind of lock", text: "leaderElection: {resourceLock: endpoints}\n" },
  {
    name: "arguments with an unknown member",
    text: "profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardWeight: 1}}]}]\n",
  },
  {
    name: "a weight out of range",
    text: "profiles: [{pluginConfig: [{name: InterPodAffinity, args: {hardPodAffinityWeight: 101}}]}]\n",
  },
  {
    name: "preemption without candidates",
    text: "profiles: [{pluginConfig: [{name: DefaultPreemption, args: {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}}]}]\n",
  },
  {
    name: "constraints beside those of the system",
    text: "profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultConstraints: [{maxSkew: 0, topologyKey: zone, whenUnsatisfiable: Never}]}}]}]\n",
  },
  {
    name: "weights of balanced resources",
    text: "profiles: [{pluginConfig: [{name: NodeResourcesBalancedAllocation, args: {resources: [{name: cpu, weight: 2}]}}]}]\n",
  },
  {
    name: "a negative timeout",
    text: "profiles: [{pluginConfig: [{name: VolumeBinding, args: {bindTimeoutSeconds: -1}}]}]\n",
  },
  {
    name: "a binding timeout of no time",
    text: "profiles: [{pluginConfig: [{name: DynamicResources, args: {bindingTimeout: 1ms}}]}]\n",
  },
  {
    name: "a plugin configured twice",
    text: "profiles: [{pluginConfig: [{name: VolumeBinding, args: {}}, {name: VolumeBinding, args: {}}]}]\n",
  },
  {
    name: "a plugin that is gone",
    text: "profiles: [{plugins: {filter: {enabled: [{name: EBSLimits}]}}}]\n",
  },
];

describe("a configuration is refused for", () => {
  for (const { name, text } of wrong)
    it(name, () => {
      assert.throws(() => parseSchedulerConfig(head + text, gates));
    });
});

describeWith(
  "configurations are refused in upstream's words",
  {
    found: cachedOwnProgram("scheduler-answers"),
    missing: "the program that asks upstream's scheduling framework (npm run tool -- programs)",
  },
  (program) => {
    const input = wrong.map(({ text }) => JSON.stringify({ op: "config", config: head + text })).join("\n");
    const answers = String(spawnSync(program, { input }).stdout)
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { failure?: string; errors?: readonly string[] });
    for (const [at, { name, text }] of wrong.entries())
      it(name, () => {
        const { failure, errors = [] } = answers[at] ?? {};
        const expected = failure ?? (errors.length === 1 ? errors[0] : `[${errors.join(", ")}]`);
        assert.throws(() => parseSchedulerConfig(head + text, gates), { message: expected ?? "" });
      });
  },
);
