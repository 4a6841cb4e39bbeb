import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { builtInResources } from "@coxswain/api/resources";

/** A valid and rich object of a kind, and where it is created. */
export interface Example {
  readonly resource: string;
  readonly path: string;
  readonly object: Record<string, unknown>;
}

const folder = fileURLToPath(new URL("../../../kinds/test/examples/", import.meta.url));

/** One of each kind, from what the kinds' own tests are made of. */
export function readExamples(): Example[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => {
      const [resource = "", ...group] = name.slice(0, -".json".length).split(".");
      const { objects = [] } = JSON.parse(readFileSync(`${folder}${name}`, "utf8")) as {
        objects?: Record<string, unknown>[];
      };
      const [object] = objects;
      if (object === undefined) return [];
      const facts = builtInResources.find(
        (one) => one.resource === resource && one.group === group.join(".") && one.servedByDefault,
      );
      if (facts === undefined) return [];
      const { version, kind, namespaced } = facts;
      const root = facts.group === "" ? "/api" : `/apis/${facts.group}`;
      const place = namespaced ? "/namespaces/default" : "";
      const { metadata = {} } = object as { metadata?: object };
      const whole = {
        ...object,
        apiVersion: facts.group === "" ? version : `${facts.group}/${version}`,
        kind,
        metadata: { name: "a", labels: { a: "b" }, ...metadata, ...(namespaced ? { namespace: "default" } : {}) },
      };
      return [
        { resource: name.slice(0, -".json".length), path: `${root}/${version}${place}/${resource}`, object: whole },
      ];
    });
}
