import { readFileSync } from "node:fs";
import type { DeepReadonly } from "@coxswain/api";
import type { PodSpec } from "@coxswain/api/core/v1";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { fieldErrorText, fieldPath } from "@coxswain/apimachinery/field";
import { walk } from "@coxswain/apimachinery/json";
import { describe, expect, it } from "vitest";
import { podKind } from "../core/pod/kind.js";
import type { StoredPod } from "../core/pod/stored.js";
import { podRules } from "./rules.js";
import { checkPodSpec } from "./validation.js";

// What no default server validates, because the features are off. The answers are those of upstream's own strategy with all of
// them on: `op: create` in tools/answers/kinds.
interface Row {
  readonly name: string;
  readonly spec: Partial<DeepReadonly<PodSpec>>;
  readonly errors: readonly string[];
}

const on = new Set(builtInFeatureGates.map(({ name }) => name));
const rows = JSON.parse(readFileSync(new URL("testdata/alpha-features.json", import.meta.url), "utf8")) as Row[];

describe("features that are off by default", () => {
  for (const { name, spec, errors } of rows) {
    it(name, () => {
      const full = { serviceAccountName: "s", containers: [{ name: "c", image: "i" }], ...spec };
      const pod = walk(
        { apiVersion: "v1", kind: "Pod", metadata: { name: "p", namespace: "ns" }, spec: full },
        podKind.schema,
      ) as StoredPod;
      podKind.setDefaults?.(pod);
      const rules = podRules({ gates: { enabled: (gate) => on.has(gate) }, isPod: true });
      expect(
        checkPodSpec(pod.spec, { path: fieldPath("spec"), rules, metadata: pod.metadata }).map(fieldErrorText),
      ).toEqual(errors);
    });
  }
});
