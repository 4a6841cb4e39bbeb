import { builtInFeatureGates } from "@coxswain/api/feature-gates";
import { fieldErrorText } from "@coxswain/apimachinery/field";
import { cloneJson, deepFreeze, walk } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { fieldErrorsAtOnce } from "../src/definition/field-errors.js";
import type { AnyKind } from "../src/index.js";
import type { Answer, Question } from "./upstream.js";

const on = new Set(builtInFeatureGates.filter((gate) => gate.default).map((gate) => gate.name));

/** Those that tools/answers/kinds has. */
const namespaces = new Map<string, Record<string, string>>([
  ["default", {}],
  ["admins", { "resource.kubernetes.io/admin-access": "true" }],
]);

const context = (kind: AnyKind, now: number) => ({
  now,
  gates: { enabled: (gate: string) => on.has(gate) },
  user: { name: "alice", uid: "42", groups: ["users"], extra: { scope: ["all"] } },
  allowPrivileged: false,
  namespaceLabels: (name: string) => namespaces.get(name),
  apiVersion: kind.group === "" ? kind.version : `${kind.group}/${kind.version}`,
});

/** What our kind answers, step by step as the server takes them. */
export function ourAnswer(kind: AnyKind, { op, view = "", object: sent, old: stored }: Question, now: number): Answer {
  const object = decode(kind, sent, now);
  if (op === "print") {
    const conditions = kind.columns.conditions?.(object) ?? [];
    return {
      columns: columnTexts(kind),
      cells: kind.columns.cells(object, now),
      ...(conditions.length > 0 && { conditions }),
    };
  }
  const defaulted = walk(object, kind.schema);
  const { strategy } = kind;
  const known = context(kind, now);
  if (op === "create") {
    strategy.prepareForCreate?.(object, known);
    const copy = deepFreeze(cloneJson(object));
    const errors = fieldErrorsAtOnce(strategy.validateCreate?.(copy, known));
    if (errors.length > 0) return answer(kind, defaulted, object, errors.map(fieldErrorText), []);
    const warnings = strategy.warningsOnCreate?.(object, known) ?? [];
    strategy.canonicalize?.(object);
    return answer(kind, defaulted, object, [], warnings);
  }
  const old = deepFreeze(decode(kind, stored, now));
  const way = view === "" ? strategy : kind.views[view];
  if (!way) throw new Error(`no view ${view}`);
  if (old.metadata.generation === undefined) delete object.metadata.generation;
  else object.metadata.generation = old.metadata.generation;
  way.prepareForUpdate?.(object, old, known);
  const copy = deepFreeze(cloneJson(object));
  const errors = fieldErrorsAtOnce(way.validateUpdate?.(copy, old, known));
  if (errors.length > 0) return answer(kind, defaulted, object, errors.map(fieldErrorText), []);
  const warnings = way.warningsOnUpdate?.(object, old, known) ?? [];
  (way.canonicalize ?? strategy.canonicalize)?.(object);
  return answer(kind, defaulted, object, [], warnings);
}

/** Upstream sets defaults again when it reads what it stored; the server does so before it stores. */
function answer(kind: AnyKind, defaulted: unknown, object: unknown, errors: string[], warnings: string[]): Answer {
  kind.setDefaults?.(object);
  const prepared = walk(object, kind.schema);
  return { defaulted, prepared, ...(errors.length > 0 && { errors }), ...(warnings.length > 0 && { warnings }) };
}

function decode(kind: AnyKind, value: unknown, now: number): KubernetesObject {
  const text = JSON.stringify(value).replace(
    /"@-([0-9a-z]+)(\.[0-9]+)?"/g,
    (_all, ago: string, micro?: string) => `"${stamp(now - milliseconds(ago), micro !== undefined)}"`,
  );
  const object = walk(JSON.parse(text), kind.schema) as KubernetesObject;
  kind.setDefaults?.(object);
  return object;
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** "1h30m" in milliseconds. */
export const milliseconds = (text: string): number =>
  [...text.matchAll(/(\d+)([smh])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (units[unit ?? ""] ?? 0),
    0,
  );

const stamp = (ms: number, micro: boolean): string =>
  micro ? `${new Date(ms).toISOString().slice(0, 23)}000Z` : `${new Date(ms).toISOString().slice(0, 19)}Z`;

export const columnTexts = (kind: AnyKind): string[] =>
  kind.columns.columns.map(
    ({ name, type, format, priority }) => `${name} ${type} ${JSON.stringify(format)} ${priority}`,
  );

const policies = { background: "DeleteDependents", orphan: "OrphanDependents", unsupported: "Unsupported" };

/** The facts of our strategy, with upstream's names. */
export function ourFacts({ group, version, namespaced, strategy, views }: AnyKind): Record<string, unknown> {
  const apiVersion = group === "" ? version : `${group}/${version}`;
  const ways = Object.entries({ "": strategy, ...views }).filter(([, way]) => way.resetFields.length > 0);
  const resetFields = Object.fromEntries(
    ways.map(([view, way]) => [`${view}@${apiVersion}`, way.resetFields.map((path) => `.${path.join(".")}`).sort()]),
  );
  return {
    namespaced,
    allowCreateOnUpdate: strategy.allowCreateOnUpdate ?? false,
    allowUnconditionalUpdate: strategy.allowUnconditionalUpdate ?? true,
    ...(strategy.garbageCollection && { garbageCollection: policies[strategy.garbageCollection] }),
    ...(strategy.gracePeriod && { graceful: true }),
    resetFields,
  };
}
