import { createSeededRandom, type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { Json, JsonObject } from "../../../record/index.js";
import { defineScenes, forgetScenes } from "../define-scenes.js";
import { type Defined } from "../definition.js";
import { pick, sample } from "../pick.js";
import type { Ask, Story } from "../story.js";
import { defineBoats } from "./boat-definition.js";
import type { ConversionWebhook } from "./conversion-server.js";
import { convertBoat, misbehaviourAnnotation, misbehaviours } from "./convert-review.js";

const mergePatch = "application/merge-patch+json";
const jsonPatch = "application/json-patch+json";
const apply = "application/apply-patch+yaml";
const table = "application/json;as=Table;g=meta.k8s.io;v=v1";
const versions = ["v1", "v2", "v3"] as const;

/** Objects that a webhook converts: rightly, by several managers in several versions, and in every wrong way. */
export function conversionStories(seed: string, webhook: ConversionWebhook): Story[] {
  const random = createSeededRandom(seed).fork("conversion");
  return [["v1"], ["v1beta1", "v1"]].map((reviewVersions, at): Story => {
    const defined = defineBoats(`c${at}.example.com`, webhook, reviewVersions, `boats-${at}`);
    return {
      name: `conversion ${at}`,
      group: "custom-objects",
      scenes: [
        ...defineScenes(defined),
        { asks: rightCases(defined, random) },
        { asks: conversionStorm(defined, random) },
        { asks: wrongCases(defined) },
        { asks: [{ sentence: "delete all", method: "DELETE", path: defined.collection("v2") }] },
        { asks: [{ sentence: "delete all in v1", method: "DELETE", path: defined.collection("v1") }] },
        ...forgetScenes(defined),
      ],
    };
  });
}

const boat = ({ group }: Defined, name: string, spec: JsonObject, more: JsonObject = {}): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind: "Boat",
  metadata: { name, ...more },
  spec,
});
const inVersion = ({ group }: Defined, version: string, object: JsonObject): JsonObject =>
  convertBoat(object, `${group}/${version}`);

const someSpec = (random: RandomSource): JsonObject => {
  const members: Record<string, Json> = {
    crew: randomInt(4, random),
    flags: sample(["red", "blue", "white"], 1 + randomInt(3, random), random),
    sails: sample(["main", "jib", "spinnaker"], 1 + randomInt(3, random), random).map((name) => ({
      name,
      area: randomInt(50, random),
    })),
    extra: { a: pick([1, "x", null, [1]], random) },
  };
  const chosen = sample(Object.keys(members), 1 + randomInt(3, random), random);
  return {
    host: pick(["hamburg", "kiel"], random),
    port: pick([1, 22, 80], random),
    ...Object.fromEntries(chosen.map((name) => [name, members[name] as Json])),
  };
};

/** Every verb on an object that was made in `version`, through another. */
function verbsThrough(defined: Defined, name: string, version: string, other: string): Ask[] {
  const path = `${defined.collection(other)}/${name}`;
  const ask = (what: string, more: Omit<Ask, "sentence" | "path">, query = ""): Ask => ({
    sentence: `${version} through ${other}: ${what}`,
    path: `${path}${query}`,
    ...more,
  });
  return [
    ask("get", { method: "GET", keep: name }),
    ask("get as a table", { method: "GET", accept: table }),
    ask("scale", { method: "GET" }, "/scale"),
    ask("put unchanged", { method: "PUT", body: (kept) => kept.get(name) ?? {} }, "?dryRun=All"),
    ask(
      "put changed",
      {
        method: "PUT",
        body: (kept) => ({
          ...kept.get(name),
          spec: { ...(kept.get(name)?.["spec"] as JsonObject), crew: 9, unknown: 1 },
        }),
      },
      "?dryRun=All",
    ),
    ask("merge-patch", { method: "PATCH", type: mergePatch, body: { spec: { crew: 5 } } }, "?dryRun=All"),
    ask(
      "merge-patch refused",
      { method: "PATCH", type: mergePatch, body: { spec: { crew: -1, address: "Bad!", port: 13 } } },
      "?dryRun=All",
    ),
    ask(
      "merge-patch by another version's rule",
      { method: "PATCH", type: mergePatch, body: { spec: { address: "fixed:1", port: 13 } } },
      "?dryRun=All",
    ),
    ask(
      "json-patch",
      { method: "PATCH", type: jsonPatch, body: [{ op: "add", path: "/spec/flags", value: ["x", "x"] }] },
      "?dryRun=All",
    ),
    ask(
      "apply",
      {
        method: "PATCH",
        type: apply,
        body: inVersion(defined, other, boat(defined, name, { crew: 7, host: "kiel" })),
      },
      "?dryRun=All&fieldManager=other&force=true",
    ),
    ask(
      "apply in conflict",
      { method: "PATCH", type: apply, body: inVersion(defined, other, boat(defined, name, { crew: 77 })) },
      "?dryRun=All&fieldManager=other",
    ),
    ask(
      "status",
      { method: "PATCH", type: mergePatch, body: { status: { crew: 3, selector: "a=b" } } },
      "/status?dryRun=All",
    ),
    ask("put scale", { method: "PATCH", type: mergePatch, body: { spec: { replicas: 4 } } }, "/scale?dryRun=All"),
  ];
}

/** Every verb through every version. */
function rightCases(defined: Defined, random: RandomSource): Ask[] {
  return versions.flatMap((version): Ask[] => {
    const name = `right-${version}`;
    const object = inVersion(defined, version, boat(defined, name, someSpec(random)));
    const others = versions.filter((other) => other !== version);
    return [
      { sentence: `create ${version}`, method: "POST", path: defined.collection(version), body: object },
      {
        sentence: `create ${version} refused`,
        method: "POST",
        path: defined.collection(version),
        body: inVersion(defined, version, boat(defined, "refused", { host: "x".repeat(30), port: 13, crew: -1 })),
      },
      ...[version, ...others].flatMap((other) => verbsThrough(defined, name, version, other)),
      ...versions.map(
        (other): Ask => ({ sentence: `${version}: list ${other}`, method: "GET", path: defined.collection(other) }),
      ),
      {
        sentence: `${version}: list as a table`,
        method: "GET",
        path: defined.collection("v2"),
        accept: table,
      },
    ];
  });
}

const operations = 30;

/** Managers that write one object in versions of their choice; it is read in all of them after each. */
function conversionStorm(defined: Defined, random: RandomSource): Ask[] {
  return Array.from({ length: operations }, (_, at): Ask[] => {
    const version = pick(versions, random);
    const manager = pick(["anna", "bert", "cleo"], random);
    const act = at === 0 ? "apply" : pick(["apply", "apply", "force", "merge-patch", "status"], random);
    const object = inVersion(defined, version, boat(defined, "stormy", someSpec(random)));
    const path = `${defined.collection(version)}/stormy`;
    const isApply = act === "apply" || act === "force";
    return [
      {
        sentence: `storm ${at}: ${manager} ${act} in ${version}`,
        method: "PATCH",
        type: isApply ? apply : mergePatch,
        path: `${path}${act === "status" ? "/status" : ""}?fieldManager=${manager}${act === "force" ? "&force=true" : ""}`,
        body: isApply
          ? object
          : act === "status"
            ? { status: { crew: randomInt(9, random) } }
            : { spec: object["spec"] as Json },
      },
      ...versions.map(
        (other): Ask => ({
          sentence: `storm ${at}: read in ${other}`,
          method: "GET",
          path: `${defined.collection(other)}/stormy`,
        }),
      ),
    ];
  }).flat();
}

/** An object for each misbehaviour, which begins where it leaves or enters the store. */
function wrongCases(defined: Defined): Ask[] {
  return Object.keys(misbehaviours).flatMap((wrong): Ask[] => {
    const made = (name: string, when: string): JsonObject =>
      boat(
        defined,
        name,
        { host: "kiel", port: 1 },
        {
          labels: { wrong },
          annotations: { [misbehaviourAnnotation]: `${when}:${wrong}` },
        },
      );
    const out = `out-${wrong}`;
    const path = (version: string): string => `${defined.collection(version)}/${out}`;
    return [
      { sentence: `${wrong}: create v1`, method: "POST", path: defined.collection("v1"), body: made(out, "v2") },
      { sentence: `${wrong}: get v2`, method: "GET", path: path("v2"), keep: out },
      {
        sentence: `${wrong}: list v2`,
        method: "GET",
        path: `${defined.collection("v2")}?labelSelector=wrong%3D${wrong}`,
      },
      {
        sentence: `${wrong}: patch v2`,
        method: "PATCH",
        type: mergePatch,
        path: `${path("v2")}?dryRun=All`,
        body: { spec: { crew: 2 } },
      },
      {
        sentence: `${wrong}: apply v2`,
        method: "PATCH",
        type: apply,
        path: `${path("v2")}?dryRun=All&fieldManager=other&force=true`,
        body: inVersion(defined, "v2", boat(defined, out, { crew: 2 })),
      },
      { sentence: `${wrong}: scale v2`, method: "GET", path: `${path("v2")}/scale` },
      {
        sentence: `${wrong}: create v2`,
        method: "POST",
        path: `${defined.collection("v2")}?dryRun=All`,
        body: inVersion(defined, "v2", made(`in-${wrong}`, "v1")),
      },
      { sentence: `${wrong}: delete v2`, method: "DELETE", path: `${path("v2")}?dryRun=All` },
      { sentence: `${wrong}: delete v1`, method: "DELETE", path: path("v1") },
    ];
  });
}
