import { readdirSync, readFileSync } from "node:fs";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import type { FieldError } from "@coxswain/apimachinery/field";
import { decodeJson, encodeUtf8 } from "@coxswain/apimachinery/json";
import { invalid } from "@coxswain/apimachinery/status";
import { describe, expect, it } from "vitest";
import { fieldErrorsAtOnce } from "../../definition/field-errors.js";
import { podKind } from "./kind.js";
import type { StoredPod } from "./stored.js";

// Pods that break one rule each. What kube-apiserver 1.36.4 answered was recorded by `npm run record`.

const folder = new URL("../../../testdata/cases/", import.meta.url);
const on = new Set(builtInFeatureGates.filter((gate) => gate.default).map((gate) => gate.name));
const context = { now: 0, gates: { enabled: (gate: string) => on.has(gate) } };

interface Step {
  readonly name: string;
  readonly path: string;
  readonly quiet?: boolean;
  readonly body: object;
}
interface Answer {
  readonly step: string;
  readonly status: number;
  readonly headers?: { readonly warning?: string | readonly string[] };
  readonly body?: { readonly message?: string; readonly details?: { readonly causes?: unknown } };
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as T;

/** What admission adds to every pod before it is validated. */
function admit(pod: StoredPod): void {
  pod.metadata.namespace = "ns";
  pod.spec.priority ??= 0;
  pod.spec.preemptionPolicy ??= "PreemptLowerPriority";
  const tolerations = (pod.spec.tolerations ??= []);
  if (tolerations.some(({ key, operator }) => key === undefined && operator === "Exists")) return;
  for (const key of ["not-ready", "unreachable"])
    tolerations.push({
      key: `node.kubernetes.io/${key}`,
      operator: "Exists",
      effect: "NoExecute",
      tolerationSeconds: 300,
    });
}

function validate(body: object): { errors: FieldError[]; warnings: string[]; name: string } {
  const pod = decodeJson(encodeUtf8(JSON.stringify(body)), podKind.schema).object as StoredPod;
  podKind.setDefaults?.(pod);
  admit(pod);
  const messages: string[] = [];
  podKind.strategy.prepareForCreate?.(pod, { ...context, warn: (text) => void messages.push(text) });
  const errors = fieldErrorsAtOnce(podKind.strategy.validateCreate?.(pod, context));
  return {
    errors,
    warnings: [...messages, ...(errors.length > 0 ? [] : (podKind.strategy.warningsOnCreate?.(pod, context) ?? []))],
    name: pod.metadata.name ?? "",
  };
}

const warningTexts = ({ warning = [] }: NonNullable<Answer["headers"]> = {}): string[] =>
  [warning]
    .flat()
    .flatMap((header) =>
      [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = ""]) => text.replaceAll(/\\(.)/g, "$1")),
    );

const isCreate = ({ steps }: { steps: readonly Step[] }): boolean =>
  steps.every(({ path }) => path.endsWith("/pods?dryRun=All"));

for (const file of readdirSync(folder).filter((name) => /^pod-.*(?<!\.recorded)\.json$/.test(name))) {
  const cases = read<{ steps: Step[] }>(file);
  if (!isCreate(cases)) continue;
  const { answers } = read<{ answers: Answer[] }>(file.replace(".json", ".recorded.json"));
  describe(file.replace(".json", ""), () => {
    for (const step of cases.steps) {
      const answer = answers.find((candidate) => candidate.step === step.name);
      it(step.name, () => {
        const { errors, warnings, name } = validate(step.body);
        if (answer?.status === 201) {
          expect(errors).toEqual([]);
          if (!step.quiet) expect(warnings.sort()).toEqual(warningTexts(answer.headers).sort());
          return;
        }
        const { status } = invalid({ group: "", kind: "Pod" }, name, errors);
        expect(status.message).toBe(answer?.body?.message);
        expect(status.details?.causes).toEqual(answer?.body?.details?.causes);
      });
    }
  });
}
