import type { SchemaNode } from "@coxswain/apimachinery/schema";
import { ownDescription } from "./own-words.js";

/** What types and members mean, for `explain` and OpenAPI. */
export interface Descriptions {
  /** "" where nothing is known. */
  ofType(name: string): string;
  /** Of a member of `node`; where it has none, that of its type. */
  ofMember(node: SchemaNode, member: string): string;
}

type Extracted = Readonly<Record<string, readonly [type: string, members: Readonly<Record<string, string>>]>>;

/** Loads the texts (about 1 MB) once. Before the package is built there are only our own words for what every object has. */
export function loadDescriptions(): Promise<Descriptions> {
  return (loaded ??= load());
}
let loaded: Promise<Descriptions> | undefined;

async function load(): Promise<Descriptions> {
  // The same path from src and from dist. A missing file is no failure: see above.
  const text = await import("../../dist/descriptions/extracted.js").then((module) => module.text).catch(() => "{}");
  return createDescriptions(JSON.parse(text) as Extracted);
}

export function createDescriptions(extracted: Extracted): Descriptions {
  const entry = (name: string): Extracted[string] | undefined =>
    Object.hasOwn(extracted, name) ? extracted[name] : undefined;
  const ofType = (name: string): string => entry(name)?.[0] ?? "";
  return {
    ofType,
    ofMember(node, member) {
      const isList = node.byName.has("items") && node.name.endsWith("List");
      const isObject = node.byName.has("kind") && node.byName.has("apiVersion");
      const own = isObject || member === "metadata" ? ownDescription(member, isList) : undefined;
      const members = entry(node.name)?.[1];
      const found = own ?? (members && Object.hasOwn(members, member) ? members[member] : undefined);
      const type = node.byName.get(member)?.type;
      return found ?? ofType(type?.name || type?.element?.name || "");
    },
  };
}
