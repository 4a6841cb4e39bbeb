import { createSeededRandom, randomInt, type SeededRandom } from "@coxswain/runtime/random";
import type { Json, JsonObject } from "../../record/index.js";
import { applyChange, type Change, mergePatchOf } from "../change.js";
import { defineScenes, forgetScenes } from "./define-scenes.js";
import { type Defined, defineFeatures, definitionsPath } from "./definition.js";
import { allFeatures } from "./features/all-features.js";
import { pick, sample } from "./pick.js";
import { schemaOddities } from "./schema-oddities.js";
import type { Ask, Story } from "./story.js";

const storyCount = 6;
const featuresOfEach = 3;
const changesOfEach = 320;

type Path = readonly (string | number)[];

/** Definitions with one or two keywords of their schemas changed, anywhere in them: created, put and patched in dry runs. */
export function definitionStories(seed: string): Story[] {
  const random = createSeededRandom(seed).fork("custom-definitions");
  return Array.from({ length: storyCount }, (_, at): Story => {
    const own = random.fork(String(at));
    const defined = defineFeatures(`d${at}.example.com`, sample(allFeatures, featuresOfEach, own));
    return {
      name: `definitions ${at}`,
      group: "custom-definitions",
      recorded: at < 1,
      scenes: [
        { asks: createAsks(defined, own), atOnce: true },
        ...defineScenes(defined),
        { asks: [...changeAsks(defined, own), ...specAsks(defined)], atOnce: true },
        ...forgetScenes(defined),
      ],
    };
  });
}

const shown = ({ path, value }: Change): string => {
  const text = JSON.stringify(value);
  const where = path.filter((part) => part !== "properties" && part !== "openAPIV3Schema").join(".");
  return `${where} is ${text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text}`;
};

/** A keyword somewhere in the schema of one of the versions. */
function oddChange({ definition }: Defined, random: SeededRandom): Change {
  const versions = (definition["spec"] as JsonObject)["versions"] as readonly JsonObject[];
  const at = randomInt(versions.length, random);
  const { schema: holder } = versions[at] as { readonly schema: JsonObject };
  const schema = holder["openAPIV3Schema"] as JsonObject;
  const inner = pick(schemasIn(schema), random);
  const [keyword, ...values] = pick(schemaOddities, random);
  return {
    path: ["spec", "versions", at, "schema", "openAPIV3Schema", ...inner, keyword],
    value: pick(values, random),
    about: "value",
  };
}

/** The paths of all schemas within one, itself included. */
function schemasIn(schema: JsonObject): Path[] {
  const found: Path[] = [[]];
  const below = (prefix: Path, inner: Json | undefined): void => {
    if (typeof inner === "object" && inner !== null && !Array.isArray(inner))
      for (const path of schemasIn(inner as JsonObject)) found.push([...prefix, ...path]);
  };
  for (const [name, inner] of Object.entries((schema["properties"] ?? {}) as JsonObject))
    below(["properties", name], inner);
  for (const keyword of ["items", "additionalProperties", "not"]) below([keyword], schema[keyword]);
  for (const keyword of ["allOf", "anyOf", "oneOf"])
    for (const [at, inner] of ((schema[keyword] ?? []) as readonly Json[]).entries()) below([keyword, at], inner);
  return found;
}

function createAsks(defined: Defined, random: SeededRandom): Ask[] {
  return Array.from({ length: changesOfEach }, (_, at): Ask => {
    const changes = Array.from({ length: at % 4 === 0 ? 2 : 1 }, () => oddChange(defined, random));
    return {
      sentence: `create ${at}: ${changes.map(shown).join(", ")}`,
      method: "POST",
      path: `${definitionsPath}?dryRun=All`,
      body: changes.reduce<Json>((sum, change) => applyChange(sum, change), defined.definition),
    };
  });
}

function changeAsks(defined: Defined, random: SeededRandom): Ask[] {
  return Array.from({ length: changesOfEach / 2 }, (_, at): Ask => {
    const change = oddChange(defined, random);
    const path = `${definitionsPath}/${defined.name}?dryRun=All`;
    if (at % 3 === 0)
      return {
        sentence: `patch ${at}: ${shown(change)}`,
        method: "PATCH",
        type: "application/merge-patch+json",
        path,
        body: (kept) => mergePatchOf(kept.get("definition") ?? {}, change),
      };
    return {
      sentence: `put ${at}: ${shown(change)}`,
      method: "PUT",
      path,
      body: (kept) => applyChange(kept.get("definition") ?? {}, change),
    };
  });
}

const specChanges: readonly (readonly [Path, ...Json[]])[] = [
  [["group"], "other.example.com", ""],
  [["scope"], "Namespaced", "Cluster", "Bogus"],
  [["names", "plural"], "others", "Bad_Name", ""],
  [["names", "singular"], "one", "Bad Name"],
  [["names", "kind"], "Other", "bad-kind!", ""],
  [["names", "listKind"], "OtherList", "Thing"],
  [["names", "shortNames"], ["x"], ["X"], ["a", "a"]],
  [["names", "categories"], ["all"], ["Bad Category"]],
  [["preserveUnknownFields"], true, false],
  [
    ["conversion"],
    { strategy: "None" },
    { strategy: "Bogus" },
    { strategy: "Webhook" },
    { strategy: "None", webhook: { conversionReviewVersions: ["v1"] } },
  ],
  [
    ["conversion"],
    {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["v1"], clientConfig: { url: "https://example.com/convert" } },
    },
  ],
  [
    ["conversion"],
    {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: ["bogus"], clientConfig: { url: "http://example.com" } },
    },
  ],
  [
    ["conversion"],
    {
      strategy: "Webhook",
      webhook: { conversionReviewVersions: [], clientConfig: { service: { name: "", namespace: "n" } } },
    },
  ],
  [["versions"], []],
  [["versions", 0, "name"], "v2", "Bad Version", "v1beta1"],
  [["versions", 0, "served"], false],
  [["versions", 0, "storage"], false],
  [["versions", 1, "storage"], true],
  [["versions", 1, "deprecated"], false],
  [["versions", 1, "deprecationWarning"], "", "x".repeat(257), "line\nbreak", "é"],
  [["versions", 0, "deprecationWarning"], "not deprecated"],
  [
    ["versions", 0, "subresources"],
    {},
    { scale: {} },
    { status: {}, scale: { specReplicasPath: "spec.x", statusReplicasPath: ".status.y" } },
  ],
  [["versions", 0, "subresources", "scale", "labelSelectorPath"], "", ".spec.selector", ".bogus", "x"],
  [["versions", 0, "subresources", "scale", "specReplicasPath"], ".status.replicas", ".spec.list[0]", ""],
  [
    ["versions", 0, "additionalPrinterColumns"],
    [],
    [{ name: "", type: "string", jsonPath: ".a" }],
    [{ name: "A", type: "bogus", jsonPath: ".a" }],
    [{ name: "A", type: "string", jsonPath: "a" }],
  ],
  [
    ["versions", 0, "additionalPrinterColumns"],
    [{ name: "A", type: "string", jsonPath: ".a", format: "bogus" }],
    [{ name: "A", type: "string", jsonPath: "{.a" }],
    [{ name: "A", type: "string", jsonPath: "" }],
  ],
  [
    ["versions", 0, "selectableFields"],
    [],
    [{ jsonPath: "" }],
    [{ jsonPath: ".spec.missing" }],
    [{ jsonPath: ".metadata.name" }],
    [{ jsonPath: "spec.color" }],
  ],
  [
    ["versions", 0, "selectableFields"],
    [{ jsonPath: ".spec.color" }, { jsonPath: ".spec.color" }],
    [{ jsonPath: ".spec" }],
    [{ jsonPath: ".spec.color[0]" }],
  ],
  [
    ["versions", 0, "schema"],
    {},
    { openAPIV3Schema: {} },
    { openAPIV3Schema: { type: "string" } },
    { openAPIV3Schema: { type: "object", nullable: true } },
  ],
  [
    ["versions", 0, "schema", "openAPIV3Schema", "properties", "metadata"],
    { type: "object", properties: { name: { type: "string", pattern: "^a" }, labels: { type: "object" } } },
    { type: "string" },
  ],
];

/** The rest of a definition, put and created. */
function specAsks(defined: Defined): Ask[] {
  const { definition, name } = defined;
  return specChanges.flatMap(([path, ...values], row) =>
    values.flatMap((value, at): Ask[] => {
      const change: Change = { path: ["spec", ...path], value, about: "value" };
      const what = `${row}.${at} ${shown(change)}`;
      const other = applyChange(
        { ...definition, metadata: { name: `others${name.slice("things".length)}` } },
        { path: ["spec", "names", "plural"], value: "others", about: "value" },
      );
      return [
        {
          sentence: `create with ${what}`,
          method: "POST",
          path: `${definitionsPath}?dryRun=All`,
          body: applyChange(other, change),
        },
        {
          sentence: `put with ${what}`,
          method: "PUT",
          path: `${definitionsPath}/${name}?dryRun=All`,
          body: (kept) => applyChange(kept.get("definition") ?? {}, change),
        },
      ];
    }),
  );
}
