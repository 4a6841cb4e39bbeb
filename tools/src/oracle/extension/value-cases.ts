import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { Json, JsonObject } from "../../record/index.js";
import { applyChange, jsonPatchOf, mergePatchOf } from "../change.js";
import type { Defined } from "./definition.js";
import { type Feature, otherTypes } from "./features/feature.js";
import { pick } from "./pick.js";
import type { Ask, Kept } from "./story.js";

/** Where values are tried: `full` is an object with every feature, `bare` one without any. */
export interface Stage {
  readonly defined: Defined;
  readonly features: readonly Feature[];
  /** The object from which a create starts. */
  object(name: string, version?: string): JsonObject;
  readonly random: RandomSource;
}

const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
const applyType = "application/apply-patch+yaml";

interface Tried {
  readonly path: readonly (string | number)[];
  readonly value: Json;
  readonly text: string;
}

const brief = (value: Json): string => {
  const text = JSON.stringify(value).replaceAll(/"?\\u0001(?:raw:)?"?/g, "~");
  return text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text;
};

/** Creates in dry runs: every value of every feature, and several odd ones at once. */
export function createCases({ defined, features, object, random }: Stage): Ask[] {
  const create = (what: string, body: Json, version: string, more: Partial<Ask> = {}): Ask => ({
    sentence: `create ${version}: ${what}`,
    method: "POST",
    path: `${defined.collection(version)}?dryRun=All`,
    body,
    ...more,
  });
  const single = features.flatMap((feature) =>
    triesOf(feature).map((tried, at) =>
      create(
        tried.text,
        applyChange(object("new", "v1"), { ...tried, about: "value" }),
        "v1",
        at % 7 === 3 ? { accept: table } : {},
      ),
    ),
  );
  const several = Array.from({ length: 12 }, (_, at) => {
    const version = pick(defined.versions, random);
    const chosen = Array.from({ length: 2 + randomInt(3, random) }, () => pick(features, random));
    const tried = chosen.map((feature) => pick(triesOf(feature), random));
    const body = tried.reduce<Json>((sum, one) => applyChange(sum, { ...one, about: "value" }), object("new", version));
    return create(`${at} ${tried.map(({ text }) => text).join(", ")}`, body, version);
  });
  return [...single, ...several];
}

const triesOf = ({ name, valid, odd }: Feature, under = "spec"): Tried[] =>
  [...new Map([...valid, ...odd, ...otherTypes].map((value) => [JSON.stringify(value), value])).values()].map(
    (value) => ({
      path: [under, name],
      value,
      text: `${under}.${name} is ${brief(value)}`,
    }),
  );

const ways = ["put", "merge-patch", "json-patch", "apply", "force", "put old", "merge-patch bare"] as const;

/** Changes of what is stored, in dry runs: every odd value in one or two of the ways in which an object is changed. */
export function changeCases({ defined, features, random }: Stage): Ask[] {
  return features.flatMap((feature) =>
    triesOf(feature).flatMap((tried) => {
      const first = randomInt(ways.length, random);
      return [ways[first] ?? "put", ways[(first + 3) % ways.length] ?? "put"].map((way) =>
        changed(defined, tried, way),
      );
    }),
  );
}

function changed(defined: Defined, { path, value, text }: Tried, way: (typeof ways)[number]): Ask {
  const change = { path, value, about: "value" as const };
  const of = (kept: Kept): JsonObject => kept.get("full") ?? {};
  const ask = (
    more: Omit<Ask, "sentence" | "method" | "path"> & { method: Ask["method"] },
    query = "",
    name = "full",
    version = "v1",
  ): Ask => ({
    sentence: `${way}: ${text}`,
    path: `${defined.collection(version)}/${name}?dryRun=All${query}`,
    ...more,
  });
  switch (way) {
    case "put":
      return ask({ method: "PUT", body: (kept) => applyChange(of(kept), change) });
    case "put old":
      return ask(
        { method: "PUT", body: (kept) => applyChange({ ...of(kept), apiVersion: `${defined.group}/v1beta1` }, change) },
        "",
        "full",
        "v1beta1",
      );
    case "merge-patch":
      return ask({
        method: "PATCH",
        type: "application/merge-patch+json",
        body: (kept) => mergePatchOf(of(kept), change),
      });
    case "merge-patch bare":
      return ask(
        {
          method: "PATCH",
          type: "application/merge-patch+json",
          body: (kept) => mergePatchOf(kept.get("bare") ?? {}, change),
        },
        "",
        "bare",
      );
    case "json-patch":
      return ask({
        method: "PATCH",
        type: "application/json-patch+json",
        body: (kept) => jsonPatchOf(of(kept), change),
      });
    case "apply":
    case "force":
      return ask(
        {
          method: "PATCH",
          type: applyType,
          body: applyChange(
            { apiVersion: `${defined.group}/v1`, kind: defined.kind, metadata: { name: "full" } },
            change,
          ),
        },
        `&fieldManager=other${way === "force" ? "&force=true" : ""}`,
      );
  }
}

/** The same through the status subresource, of the features that status has. */
export function statusCases({ defined }: Stage, features: readonly Feature[]): Ask[] {
  return features.flatMap((feature) =>
    triesOf(feature, "status").map((tried, at): Ask => {
      const change = { path: tried.path, value: tried.value, about: "value" as const };
      const path = `${defined.collection()}/full/status?dryRun=All`;
      if (at % 3 === 1)
        return {
          sentence: `patch status: ${tried.text}`,
          method: "PATCH",
          path,
          type: "application/merge-patch+json",
          body: (kept) => mergePatchOf(kept.get("full") ?? {}, change),
        };
      return {
        sentence: `put status: ${tried.text}`,
        method: "PUT",
        path,
        body: (kept) => applyChange(kept.get("full") ?? {}, change),
      };
    }),
  );
}
