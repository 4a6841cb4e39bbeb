import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import type { JsonObject } from "@coxswain/apimachinery/structural-schema";

/** A custom resource: metadata, and whatever the definition's schema allows. */
export type CustomObject = KubernetesObject;

/** The object as the engines of schemas read it. */
export const membersOf = (object: object): JsonObject => object as JsonObject;

export const memberOf = (object: object, name: string): unknown => getOwn<unknown>(membersOf(object), name);

export function setMember(object: object, name: string, value: unknown): void {
  const members = object as Record<string, unknown>;
  if (value === undefined) delete members[name];
  else setOwn(members, name, value);
}

/** Gives an object the members of another, in their order, and no others. */
export function become(object: object, next: object): void {
  if (next === object) return;
  for (const name of Object.keys(object)) setMember(object, name, undefined);
  for (const name of Object.keys(next)) setMember(object, name, memberOf(next, name));
}
