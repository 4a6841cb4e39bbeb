import { createSeededRandom, shuffled } from "@coxswain/runtime/random";
import type { Json, JsonObject } from "../../record/index.js";
import { applyStorm } from "./apply-storm.js";
import { defineScenes, forgetScenes } from "./define-scenes.js";
import { type Defined, defineFeatures } from "./definition.js";
import { allFeatures } from "./features/all-features.js";
import type { Feature } from "./features/feature.js";
import type { Ask, Story } from "./story.js";
import { changeCases, createCases, type Stage, statusCases } from "./value-cases.js";
import { metadataCases, readCases, unknownCases } from "./whole-cases.js";

/** Features of one definition: more would bring its rules over the limit of their cost. */
const together = 10;

/** Definitions that between them have every feature, and objects of them. The seed decides which features are together. */
export function objectStories(seed: string): Story[] {
  const random = createSeededRandom(seed).fork("custom-objects");
  const mixed = shuffled(allFeatures, random);
  const parts = Array.from({ length: Math.ceil(mixed.length / together) }, (_, at) =>
    mixed.slice(at * together, (at + 1) * together),
  );
  return parts.map((features, at): Story => {
    const statusFeatures = features.slice(0, 3);
    const namespace = at % 2 === 0 ? `things-${at}` : undefined;
    const defined = defineFeatures(`o${at}.example.com`, features, {
      ...(namespace !== undefined && { namespace }),
      statusFeatures,
    });
    const stage: Stage = {
      defined,
      features,
      random: random.fork(String(at)),
      object: (name, version) => objectOf(defined, features, name, version),
    };
    const status = Object.fromEntries(statusFeatures.map(({ name, valid }) => [name, valid[0] as Json]));
    return {
      name: `objects ${at}`,
      group: "custom-objects",
      recorded: at < 3,
      scenes: [
        ...defineScenes(defined),
        { asks: createCases(stage), atOnce: true },
        { asks: makeObjects(stage, status) },
        {
          asks: [
            ...changeCases(stage),
            ...statusCases(stage, statusFeatures),
            ...unknownCases(stage),
            ...(at % 4 === 0 ? metadataCases(stage) : []),
            ...readCases(stage),
          ],
          atOnce: true,
        },
        { asks: applyStorm(stage, Object.keys(status)) },
        ...forgetScenes(defined),
      ],
    };
  });
}

function objectOf({ group, kind }: Defined, features: readonly Feature[], name: string, version = "v1"): JsonObject {
  const known = version === "v1alpha1" ? features.slice(0, Math.ceil(features.length / 2)) : features;
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, labels: { app: name, "app.example.com/name": "x" } },
    spec: {
      color: "red",
      depth: 3,
      replicas: 2,
      since: "2026-01-01T00:00:00Z",
      ...Object.fromEntries(known.map(({ name: member, valid }) => [member, valid[0] as Json])),
    },
  };
}

function makeObjects({ defined, object }: Stage, status: JsonObject): Ask[] {
  const { collection, group, kind } = defined;
  const whole = { ready: true, replicas: 1, selector: "app=full", ...status };
  return [
    { sentence: "create full", method: "POST", path: collection(), body: { ...object("full"), status: whole } },
    {
      sentence: "create bare",
      method: "POST",
      path: collection("v1beta1"),
      body: { apiVersion: `${group}/v1beta1`, kind, metadata: { name: "bare" }, spec: {} },
    },
    { sentence: "create full again", method: "POST", path: collection(), body: object("full") },
    { sentence: "read full", method: "GET", path: `${collection()}/full`, keep: "full" },
    {
      sentence: "write status",
      method: "PUT",
      path: `${collection()}/full/status`,
      body: (kept) => ({ ...kept.get("full"), status: whole }),
      keep: "full",
    },
    { sentence: "read bare", method: "GET", path: `${collection()}/bare`, keep: "bare" },
    { sentence: "read scale", method: "GET", path: `${collection()}/full/scale`, keep: "scale" },
  ];
}
