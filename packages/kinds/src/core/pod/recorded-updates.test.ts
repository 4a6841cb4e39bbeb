import { readFileSync } from "node:fs";
import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { type FieldError, fieldPath } from "@coxswain/apimachinery/field";
import { cloneJson, decodeJson, deepFreeze, encodeUtf8 } from "@coxswain/apimachinery/json";
import { invalid } from "@coxswain/apimachinery/status";
import { checkPathSegmentName, validateObjectMeta, validateObjectMetaUpdate } from "@coxswain/apimachinery/validation";
import { describe, expect, it } from "vitest";
import { fieldErrorsAtOnce } from "../../definition/field-errors.js";
import { podKind } from "./kind.js";
import type { StoredPod } from "./stored.js";

// Changes of stored pods and what kube-apiserver 1.36.4 answered, recorded by `npm run record`.

const folder = new URL("../../../testdata/cases/", import.meta.url);
const on = new Set(builtInFeatureGates.filter((gate) => gate.default).map((gate) => gate.name));
const context = { now: 0, gates: { enabled: (gate: string) => on.has(gate) } };

interface Step {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body: { readonly metadata: { readonly name: string } };
}
interface Answer {
  readonly step: string;
  readonly status: number;
  readonly body?: { readonly message?: string; readonly details?: { readonly causes?: unknown } };
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as T;

function decode(value: unknown): StoredPod {
  const pod = decodeJson(encodeUtf8(JSON.stringify(value)), podKind.schema).object as StoredPod;
  podKind.setDefaults?.(pod);
  return pod;
}

/** A recorded pod; its times and uid are placeholders, which compare as well as any. */
function stored(answer: unknown): StoredPod {
  const { metadata, ...rest } = answer as StoredPod;
  const { managedFields: _unused, creationTimestamp: _placeholder, ...others } = metadata;
  return deepFreeze(decode({ ...withoutTimes(rest), metadata: { ...others, resourceVersion: "1" } }));
}

const withoutTimes = (value: object): object =>
  JSON.parse(
    JSON.stringify(value, (_key, member: unknown) =>
      typeof member === "string" && member.startsWith("<time") ? undefined : member,
    ),
  ) as object;

/** What admission keeps or adds. */
function admit(pod: StoredPod, old: StoredPod): void {
  pod.spec.priority ??= old.spec.priority ?? 0;
  pod.spec.preemptionPolicy ??= "PreemptLowerPriority";
  const tolerations = (pod.spec.tolerations ??= []);
  for (const name of ["not-ready", "unreachable"]) {
    const key = `node.kubernetes.io/${name}`;
    if (!tolerations.some((one) => one.key === key))
      tolerations.push({ key, operator: "Exists", effect: "NoExecute", tolerationSeconds: 300 });
  }
}

function validate({ path, body }: Step, old: StoredPod): FieldError[] {
  const view = /\/pods\/[^/?]+\/([a-z]+)/.exec(path)?.[1];
  const way = view === undefined ? podKind.strategy : podKind.views[view];
  const pod = decode(body);
  const { uid = "", namespace = "", generation = 1 } = old.metadata;
  Object.assign(pod.metadata, { uid, namespace, generation, resourceVersion: "1" });
  admit(pod, old);
  way?.prepareForUpdate?.(pod, old, context);
  const metadata = fieldPath("metadata");
  return [
    ...validateObjectMeta(pod.metadata, { namespaced: true, checkName: checkPathSegmentName, path: metadata }),
    ...validateObjectMetaUpdate(pod.metadata, old.metadata, metadata),
    ...fieldErrorsAtOnce(way?.validateUpdate?.(deepFreeze(cloneJson(pod)), old, context)),
  ];
}

for (const file of ["pod-update", "pod-update-gated", "pod-status", "pod-ephemeral-containers", "pod-resize"]) {
  describe(file, () => {
    const { answers } = read<{ answers: Answer[] }>(`${file}.recorded.json`);
    const pods = new Map<string, StoredPod>();
    for (const step of read<{ steps: Step[] }>(`${file}.json`).steps) {
      const answer = answers.find((candidate) => candidate.step === step.name);
      const { name } = step.body.metadata;
      const old = pods.get(name);
      if (!step.path.includes("dryRun") && answer?.body) pods.set(name, stored(answer.body));
      if (!old) continue;
      it(step.name, () => {
        const errors = validate(step, old);
        if (answer?.status === 200) {
          expect(errors).toEqual([]);
          return;
        }
        const { status } = invalid({ group: "", kind: "Pod" }, name, errors);
        expect(status.message).toBe(answer?.body?.message);
        expect(status.details?.causes).toEqual(answer?.body?.details?.causes);
      });
    }
  });
}
