import { describe, expect, it } from "vitest";
import { type Rule, uncoveredRules } from "./covers.js";
import { describeRules } from "./describe-rules.js";

/** "verbs resources groups [names]", or "verbs /path". */
function rule(text: string): Rule {
  const [verbs = "", what = "", groups = "", names] = text.split(" ");
  if (what.startsWith("/") || what === "**")
    return { verbs: verbs.split(","), nonResourceURLs: what.replace("**", "*").split(",") };
  return {
    verbs: verbs.split(","),
    resources: what.split(","),
    apiGroups: groups === "core" ? [""] : groups.split(","),
    ...(names === undefined ? {} : { resourceNames: names.split(",") }),
  };
}

const cases: { name: string; held: string[]; wanted: string[]; missing?: string[] }[] = [
  { name: "the same", held: ["get pods core"], wanted: ["get pods core"] },
  {
    name: "part by part from several",
    held: ["get pods core", "list pods,services core"],
    wanted: ["get,list pods core"],
  },
  {
    name: "a verb that is missing",
    held: ["get pods core"],
    wanted: ["get,list,watch pods core"],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}'],
  },
  {
    name: "all verbs are more than any",
    held: ["get,list pods core"],
    wanted: ["* pods core"],
    missing: ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
  },
  { name: "everything covers", held: ["* * *"], wanted: ["get pods/log core", "* * *"] },
  {
    name: "but no paths",
    held: ["* * *"],
    wanted: ["get /healthz"],
    missing: ['{NonResourceURLs:["/healthz"], Verbs:["get"]}'],
  },
  { name: "a subresource of all resources", held: ["get */scale *"], wanted: ["get deployments/scale apps"] },
  { name: "a name of all names", held: ["get secrets core"], wanted: ["get secrets core one"] },
  {
    name: "all names are more than one",
    held: ["get secrets core one"],
    wanted: ["get secrets core"],
    missing: ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'],
  },
  {
    name: "another name",
    held: ["get secrets core one"],
    wanted: ["get,list secrets core one,two"],
    missing: [
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["one"], Verbs:["list"]}',
      '{APIGroups:[""], Resources:["secrets"], ResourceNames:["two"], Verbs:["get" "list"]}',
    ],
  },
  { name: "paths by their beginning", held: ["get /logs/*"], wanted: ["get /logs/a,/logs/*"] },
];

describe("rules that cover others", () => {
  for (const { name, held, wanted, missing = [] } of cases)
    it(name, () => expect(describeRules(uncoveredRules(held.map(rule), wanted.map(rule)))).toEqual(missing));
});
