import { createSeededRandom, type RandomSource, randomInt, shuffled } from "@coxswain/runtime/random";
import type { Json, JsonObject } from "../../record/index.js";
import { defineScenes, forgetScenes } from "./define-scenes.js";
import { type Defined, definitionsPath } from "./definition.js";
import { allFeatures } from "./features/all-features.js";
import { type Feature, otherTypes } from "./features/feature.js";
import { nearbyValues } from "./nearby-values.js";
import { pick } from "./pick.js";
import type { Ask, Kept, Scene, Story } from "./story.js";

/** Features of one definition: more would bring its rules over the limit of their cost. */
const together = 10;
const objects = 6;

/**
 * Definitions that became strict when there were objects already: what is wrong with them and does not change is let pass
 * (ratcheting), as kube-apiserver has it. The seed decides which values were there.
 */
export function ratchetStories(seed: string): Story[] {
  const random = createSeededRandom(seed).fork("ratcheting");
  const mixed = shuffled(allFeatures, random);
  const parts = Array.from({ length: Math.ceil(mixed.length / together) }, (_, at) =>
    mixed.slice(at * together, (at + 1) * together),
  );
  return parts.map((features, at): Story => {
    const defined = defineLoose(`r${at}.example.com`, features);
    const own = random.fork(String(at));
    const names = Array.from({ length: objects }, (_, each) => `stale-${each}`);
    return {
      name: `ratcheting ${at}`,
      group: "custom-objects",
      recorded: at < 1,
      scenes: [
        ...defineScenes(defined),
        { asks: names.flatMap((name) => staleObject(defined, features, name, own)) },
        ...becomeStrict(defined, features),
        {
          asks: names.map((name) => ({
            sentence: `read ${name}`,
            method: "GET" as const,
            path: `${defined.collection()}/${name}`,
            keep: name,
          })),
        },
        { asks: names.flatMap((name) => changesOf(defined, features, name, own)), atOnce: true },
        ...forgetScenes(defined),
      ],
    };
  });
}

const anything = { "x-kubernetes-preserve-unknown-fields": true };
const isStrict = "isStrict";

function defineLoose(group: string, features: readonly Feature[]): Defined {
  const loose = Object.fromEntries([...features.map(({ name }) => name), isStrict].map((name) => [name, anything]));
  return {
    definition: {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `things.${group}` },
      spec: {
        group,
        scope: "Cluster",
        names: { plural: "things", singular: "thing", kind: "Thing" },
        versions: [
          {
            name: "v1",
            served: true,
            storage: true,
            subresources: { status: {} },
            schema: {
              openAPIV3Schema: {
                type: "object",
                properties: {
                  spec: { type: "object", properties: loose },
                  status: { type: "object", properties: loose },
                },
              },
            },
          },
        ],
      },
    },
    name: `things.${group}`,
    group,
    kind: "Thing",
    versions: ["v1"],
    namespace: undefined,
    collection: () => `/apis/${group}/v1/things`,
  };
}

const valuesOf = ({ valid, odd }: Feature): readonly Json[] => [...valid, ...odd, ...odd, ...otherTypes];

/** An object whose members are right or wrong by chance, and its status, which holds the first three of them. */
function staleObject(defined: Defined, features: readonly Feature[], name: string, random: RandomSource): Ask[] {
  const chosen = (from: readonly Feature[]): JsonObject =>
    Object.fromEntries(from.map((feature) => [feature.name, pick(valuesOf(feature), random)]));
  const frame = { apiVersion: `${defined.group}/v1`, kind: defined.kind, metadata: { name } };
  return [
    {
      sentence: `create ${name}`,
      method: "POST",
      path: defined.collection(),
      body: { ...frame, spec: chosen(features) },
    },
    {
      sentence: `status of ${name}`,
      method: "PATCH",
      type: "application/merge-patch+json",
      path: `${defined.collection()}/${name}/status`,
      body: { status: chosen(features.slice(0, 3)) },
    },
  ];
}

function becomeStrict(defined: Defined, features: readonly Feature[]): Scene[] {
  const strict = {
    ...Object.fromEntries(features.map(({ name, schema }) => [name, schema])),
    [isStrict]: { type: "string", enum: ["yes"] },
  };
  const at = "/spec/versions/0/schema/openAPIV3Schema/properties";
  return [
    {
      asks: [
        {
          sentence: "become strict",
          method: "PATCH",
          type: "application/json-patch+json",
          path: `${definitionsPath}/${defined.name}`,
          body: [
            { op: "replace", path: `${at}/spec/properties`, value: strict },
            { op: "replace", path: `${at}/status/properties`, value: strict },
          ],
        },
      ],
    },
    {
      wait: {
        sentence: "is strict",
        method: "POST",
        path: `${defined.collection()}?dryRun=All`,
        body: {
          apiVersion: `${defined.group}/v1`,
          kind: defined.kind,
          metadata: { name: "probe" },
          spec: { [isStrict]: "no" },
        },
      },
      until: (status) => status === 422,
    },
  ];
}

/** Changes beside what is wrong, of it, and close to it. */
function changesOf(defined: Defined, features: readonly Feature[], name: string, random: RandomSource): Ask[] {
  const path = `${defined.collection()}/${name}`;
  const current = (kept: Kept): JsonObject => kept.get(name) ?? {};
  const specOf = (kept: Kept): JsonObject => (current(kept)["spec"] as JsonObject | undefined) ?? {};
  const label = { metadata: { labels: { changed: "yes" } } };
  const put = (kept: Kept, spec: JsonObject): Json => ({ ...current(kept), spec: { ...specOf(kept), ...spec } });
  const each = features.flatMap((feature, at): Ask[] => {
    const value = pick(valuesOf(feature), random);
    const near = randomInt(1000, random);
    const nearby = (kept: Kept): Json => {
      const all = nearbyValues(specOf(kept)[feature.name] ?? null);
      return all[near % all.length] ?? null;
    };
    const ask = (way: string, more: Omit<Ask, "sentence" | "path">, query = ""): Ask => ({
      sentence: `${name}: ${way} ${feature.name}`,
      path: `${path}?dryRun=All${query}`,
      ...more,
    });
    return [
      ask("put", { method: "PUT", body: (kept) => put(kept, { [feature.name]: value }) }),
      ask("put something near", { method: "PUT", body: (kept) => put(kept, { [feature.name]: nearby(kept) }) }),
      ask("merge-patch", {
        method: "PATCH",
        type: "application/merge-patch+json",
        body: { ...label, spec: { [feature.name]: value } },
      }),
      ask(
        "apply",
        {
          method: "PATCH",
          type: "application/apply-patch+yaml",
          body: {
            apiVersion: `${defined.group}/v1`,
            kind: defined.kind,
            metadata: { name },
            spec: { [feature.name]: value },
          },
        },
        "&fieldManager=other&force=true",
      ),
      ...(at < 3
        ? [
            {
              sentence: `${name}: status ${feature.name}`,
              method: "PATCH" as const,
              type: "application/merge-patch+json",
              path: `${path}/status?dryRun=All`,
              body: { status: { [feature.name]: value } },
            },
          ]
        : []),
    ];
  });
  return [
    { sentence: `${name}: put unchanged`, method: "PUT", path: `${path}?dryRun=All`, body: current },
    {
      sentence: `${name}: patch a label`,
      method: "PATCH",
      type: "application/merge-patch+json",
      path: `${path}?dryRun=All`,
      body: label,
    },
    {
      sentence: `${name}: patch a status`,
      method: "PATCH",
      type: "application/merge-patch+json",
      path: `${path}/status?dryRun=All`,
      body: { status: { [isStrict]: "yes" } },
    },
    ...each,
  ];
}
