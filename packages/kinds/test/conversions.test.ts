import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { walk } from "@coxswain/apimachinery/json";
import { formatGroupVersion, type KubernetesObject } from "@coxswain/apimachinery/meta";
import { describeWith } from "@coxswain/tools/needs";
import { describe, expect, it } from "vitest";
import { type AnyKind, builtInKinds, type KindVersion } from "../src/index.js";
import { testTime } from "./compare.js";
import { readExamples } from "./examples.js";
import { applyMutation, mutationsOf } from "./mutations.js";
import { complete } from "./questions.js";
import { askUpstream, type Question, upstreamNeed } from "./upstream.js";

/** What upstream makes of an object in another version. The live test asks it, of many more objects, and records the rows. */
interface Row {
  readonly object: KubernetesObject;
  readonly converted: unknown;
}

const file = (kind: AnyKind): string => fileURLToPath(new URL(`conversions/${kind.resource}.json`, import.meta.url));
const read = (kind: AnyKind): Row[] =>
  existsSync(file(kind)) ? (JSON.parse(readFileSync(file(kind), "utf8")) as Row[]) : [];

for (const kind of builtInKinds) {
  for (const version of kind.versions ?? []) {
    const rows = read(kind);
    if (rows.length === 0) continue;
    describe(`${kind.resource} and ${formatGroupVersion(version)}`, () => {
      for (const [at, { object, converted }] of rows.entries())
        it(`row ${at}`, () => expect(structuredClone(convert(kind, version, object))).toEqual(converted));
    });
  }
}

describeWith("conversions beside upstream's", { ...upstreamNeed, timeout: 600_000 }, () => {
  for (const kind of builtInKinds)
    for (const version of kind.versions ?? [])
      it(`${kind.resource} and ${formatGroupVersion(version)}`, () => compareAll(kind, version, read(kind)));
});

function convert(kind: AnyKind, version: KindVersion, object: KubernetesObject): unknown {
  if (object.apiVersion === formatGroupVersion(kind)) {
    const hub = walk(object, kind.schema) as KubernetesObject;
    kind.setDefaults?.(hub);
    return version.fromHub(walk(hub, kind.schema));
  }
  const other = walk(object, version.schema) as KubernetesObject;
  version.setDefaults?.(other);
  return version.toHub(other);
}

function compareAll(kind: AnyKind, version: KindVersion, rows: readonly Row[]): void {
  const examples = readExamples().find((one) => one.kind === kind);
  const dated = (object: Record<string, unknown>) =>
    JSON.parse(
      JSON.stringify(object).replaceAll(/"@-[^".]*(\.\d+)?"/g, (_all, micro?: string) =>
        micro === undefined ? '"2026-01-01T00:00:00Z"' : '"2026-01-01T00:00:00.000000Z"',
      ),
    ) as Record<string, unknown>;
  const hubs = (examples?.objects ?? []).map((object) =>
    complete(kind.kind, kind.group, kind.version, kind.namespaced, dated(object)),
  );
  const others = ask(kind, version, hubs).map(({ converted }) => converted);
  const recorded = rows
    .map(({ object }) => object)
    .filter((object) => object.apiVersion === formatGroupVersion(version));
  const all = [
    ...hubs.flatMap((object) => [
      object,
      ...mutationsOf(object, kind.schema, examples?.skip ?? []).map((mutation) => applyMutation(object, mutation)),
    ]),
    ...[...others, ...recorded].flatMap((object) => [
      object,
      ...mutationsOf(object, version.schema, []).map((mutation) => applyMutation(object, mutation)),
    ]),
  ];
  const answers = ask(kind, version, all);
  const different = answers.flatMap(({ object, converted }) => {
    const ours = converted === undefined ? undefined : convert(kind, version, object);
    return JSON.stringify(ours) === JSON.stringify(converted)
      ? []
      : [`${JSON.stringify(object)}\n    ours   ${JSON.stringify(ours)}\n    theirs ${JSON.stringify(converted)}`];
  });
  if (process.env["COXSWAIN_RECORD"]) {
    const kept = ask(kind, version, [
      ...hubs,
      ...others,
      ...recorded.filter((object) => !others.some((other) => JSON.stringify(other) === JSON.stringify(object))),
    ]);
    writeFileSync(file(kind), `[\n${kept.map((row) => JSON.stringify(row)).join(",\n")}\n]\n`);
  }
  expect(different.slice(0, 5).join("\n")).toBe("");
}

function ask(kind: AnyKind, version: KindVersion, objects: readonly unknown[]): Row[] {
  const hub = formatGroupVersion(kind);
  const questions = objects.map((object): Question => {
    const isHub = (object as KubernetesObject).apiVersion === hub;
    const { group, version: name } = isHub ? kind : version;
    return {
      op: "convert",
      group,
      version: name,
      resource: kind.resource,
      object,
      to: isHub ? formatGroupVersion(version) : hub,
    };
  });
  return askUpstream(questions, testTime).map(({ prepared }, at) => ({
    object: objects[at] as KubernetesObject,
    converted: prepared,
  }));
}
