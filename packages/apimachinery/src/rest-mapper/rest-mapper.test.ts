import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatGroupVersionKind, formatGroupVersionResource, type GroupKind } from "../meta/group-version.js";
import { createRestMapper, type PartialResource, type ServedGroup } from "./index.js";

// Made by upstream's own library from the same groups: `go run . rest-mapper` in tools/answers/vocabulary.
const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8"));
const groups = read("groups") as ServedGroup[];
type Answer = { value: string } | { error: string };
interface ResourceRow {
  partial: PartialResource;
  resource: Answer;
  kind: Answer;
  warning?: string;
}
interface KindRow {
  groupKind: GroupKind;
  versions: string[];
  resource?: string;
  namespaced?: boolean;
  error?: string;
}
interface SingularRow {
  plural: string;
  singular: Answer;
}
const rows = read("rest-mapper") as (ResourceRow | KindRow | SingularRow)[];

function answer(ask: () => string): Answer {
  try {
    return { value: ask() };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** Upstream prints the matches of an ambiguous name in random order where they are of one version. */
const withoutOrder = (given: Answer): Answer =>
  "error" in given
    ? {
        error: given.error.replace(/\[.*\]/, (list) =>
          list
            .slice(1, -1)
            .split(/ (?=\S+\/)/)
            .sort()
            .join(" "),
        ),
      }
    : given;

describe("resources by name", () => {
  for (const row of rows.filter((candidate): candidate is ResourceRow => "partial" in candidate)) {
    it(formatGroupVersionResource({ group: "", version: "", ...row.partial }), () => {
      const warnings: string[] = [];
      const mapper = createRestMapper(groups, { warn: (message) => warnings.push(message) });
      expect(withoutOrder(answer(() => formatGroupVersionResource(mapper.resourceFor(row.partial))))).toEqual(
        withoutOrder(row.resource),
      );
      expect(withoutOrder(answer(() => formatGroupVersionKind(mapper.kindFor(row.partial))))).toEqual(
        withoutOrder(row.kind),
      );
      expect(warnings[0]).toBe(row.warning);
    });
  }
  it("all that a name may mean, by group", () =>
    expect(
      createRestMapper(groups)
        .resourcesFor({ resource: "pods" })
        .map(({ group }) => group),
    ).toEqual(["", "example.com"]));
});

describe("resources of kinds", () => {
  const mapper = createRestMapper(groups);
  for (const row of rows.filter((candidate): candidate is KindRow => "groupKind" in candidate)) {
    it(`${row.groupKind.group}/${row.groupKind.kind} ${row.versions.join(" ")}`, () => {
      const { groupKind, versions, ...expected } = row;
      const ours = answer(() => JSON.stringify(mapper.mapping(groupKind, ...versions)));
      const found = "value" in ours ? (JSON.parse(ours.value) as ReturnType<typeof mapper.mapping>) : undefined;
      expect(
        found ? { resource: formatGroupVersionResource(found.resource), namespaced: found.namespaced } : ours,
      ).toEqual(expected);
    });
  }
});

describe("other names", () => {
  const mapper = createRestMapper(groups);
  for (const row of rows.filter((candidate): candidate is SingularRow => "plural" in candidate)) {
    it(`the singular of ${row.plural}`, () => expect(answer(() => mapper.singular(row.plural))).toEqual(row.singular));
  }
  it("categories hold resources once", () =>
    expect(mapper.category("all")).toEqual([
      { group: "", resource: "pods" },
      { group: "autoscaling", resource: "horizontalpodautoscalers" },
    ]));
  it("an unknown category is none", () => expect(mapper.category("none")).toBeUndefined());
});
