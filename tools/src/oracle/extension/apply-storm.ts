import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { Json, JsonObject } from "../../record/index.js";
import { pick, sample } from "./pick.js";
import type { Ask, Kept } from "./story.js";
import type { Stage } from "./value-cases.js";

const operations = 24;
const acts = ["apply", "apply", "apply", "force", "force", "merge-patch", "put", "apply status", "apply old"] as const;

/** Managers that apply, force, patch and put the same object for real, by chance; it is read after each. */
export function applyStorm(stage: Stage, statusMembers: readonly string[]): Ask[] {
  const { defined, random } = stage;
  const path = `${defined.collection()}/stormy`;
  return Array.from({ length: operations }, (_, at): Ask[] => {
    const act = at === 0 ? "apply" : pick(acts, random);
    const manager = pick(["anna", "bert", "cleo"], random);
    const values = chosenValues(stage, act === "apply old");
    return [
      storm(stage, { at, act, manager, values, status: statusOf(statusMembers, random) }),
      { sentence: `storm ${at}: read`, method: "GET", path, keep: "stormy" },
    ];
  }).flat();
}

function chosenValues({ features, random }: Stage, old: boolean): JsonObject {
  // The oldest version has the first half of the features.
  const known = old ? features.slice(0, Math.ceil(features.length / 2)) : features;
  const chosen = sample(known, 1 + randomInt(4, random), random);
  return {
    ...Object.fromEntries(chosen.map(({ name, valid }) => [name, pick(valid, random)])),
    ...(randomInt(3, random) === 0 && { color: pick(["red", "blue"], random) }),
    ...(randomInt(3, random) === 0 && { replicas: randomInt(3, random) }),
  };
}

const statusOf = (members: readonly string[], random: RandomSource): JsonObject => ({
  ready: randomInt(2, random) === 0,
  ...(members.length > 0 && randomInt(2, random) === 0 && { replicas: randomInt(3, random) }),
});

interface Strike {
  readonly at: number;
  readonly act: (typeof acts)[number];
  readonly manager: string;
  readonly values: JsonObject;
  readonly status: JsonObject;
}

function storm({ defined }: Stage, { at, act, manager, values, status }: Strike): Ask {
  const version = act === "apply old" ? "v1alpha1" : "v1";
  const frame = { apiVersion: `${defined.group}/${version}`, kind: defined.kind, metadata: { name: "stormy" } };
  const own = `${defined.collection(version)}/stormy`;
  const sentence = `storm ${at}: ${manager} ${act} ${Object.keys(act === "apply status" ? status : values).join(",")}`;
  const current = (kept: Kept): JsonObject => kept.get("stormy") ?? frame;
  switch (act) {
    case "apply":
    case "force":
    case "apply old":
      return {
        sentence,
        method: "PATCH",
        type: "application/apply-patch+yaml",
        path: `${own}?fieldManager=${manager}${act === "force" ? "&force=true" : ""}`,
        body: { ...frame, spec: values },
      };
    case "apply status":
      return {
        sentence,
        method: "PATCH",
        type: "application/apply-patch+yaml",
        path: `${own}/status?fieldManager=${manager}`,
        body: { ...frame, status },
      };
    case "merge-patch":
      return {
        sentence,
        method: "PATCH",
        type: "application/merge-patch+json",
        path: `${own}?fieldManager=${manager}`,
        body: { spec: values },
      };
    case "put":
      return {
        sentence,
        method: "PUT",
        path: `${own}?fieldManager=${manager}`,
        body: (kept): Json => ({ ...current(kept), spec: { ...(current(kept)["spec"] as JsonObject), ...values } }),
      };
  }
}
