import type { Examples } from "./examples.js";
import { applyMutation, type Mutation, mutationsOf, mutationText } from "./mutations.js";
import type { Question } from "./upstream.js";

export interface NamedQuestion {
  readonly name: string;
  readonly question: Question;
  /** The base object and what was changed in it. */
  readonly base: number;
  readonly mutation?: Mutation;
}

/** Everything that is asked about a kind's examples. */
export function questionsOf({ kind, objects, once, skip, printed, updates }: Examples): NamedQuestion[] {
  const { group, version, resource } = kind;
  const of = { group, version, resource };
  const found: NamedQuestion[] = [];
  for (const [base, example] of objects.entries()) {
    const object = complete(kind.kind, group, version, kind.namespaced, example);
    const stored = withStored(object);
    const mutations = mutationsOf(object, kind.schema, skip);
    found.push({ name: `${base}: create`, question: { op: "create", ...of, object }, base });
    found.push({ name: `${base}: print`, question: { op: "print", ...of, object }, base });
    for (const [ordinal, mutation] of mutations.entries()) {
      const changed = applyMutation(object, mutation);
      found.push({
        name: `${base}.${ordinal}: create, ${mutationText(mutation)}`,
        question: { op: "create", ...of, object: changed },
        base,
        mutation,
      });
      found.push({
        name: `${base}.${ordinal}: print, ${mutationText(mutation)}`,
        question: { op: "print", ...of, object: changed },
        base,
        mutation,
      });
      for (const view of ["", ...Object.keys(kind.views)]) {
        const question: Question = { op: "update", ...of, view, old: stored, object: withStored(changed) };
        found.push({ name: `${base}.${ordinal}: update ${view}, ${mutationText(mutation)}`, question, base, mutation });
        const back: Question = { op: "update", ...of, view, old: withStored(changed), object: stored };
        found.push({
          name: `${base}.${ordinal}: update ${view} from, ${mutationText(mutation)}`,
          question: back,
          base,
          mutation,
        });
      }
    }
  }
  for (const [at, example] of once.entries()) {
    found.push({
      name: `create ${at}`,
      question: { op: "create", ...of, object: complete(kind.kind, group, version, kind.namespaced, example) },
      base: -1,
    });
  }
  for (const [at, { view = "", old, object }] of updates.entries()) {
    const full = (one: unknown) =>
      withStored(complete(kind.kind, group, version, kind.namespaced, one as Record<string, unknown>));
    found.push({
      name: `update ${at} ${view}`,
      question: { op: "update", ...of, view, old: full(old), object: full(object) },
      base: -1,
    });
  }
  for (const [at, example] of printed.entries()) {
    found.push({
      name: `print ${at}`,
      question: { op: "print", ...of, object: complete(kind.kind, group, version, kind.namespaced, example) },
      base: -1,
    });
  }
  return found;
}

export function complete(
  kind: string,
  group: string,
  version: string,
  namespaced: boolean,
  object: Record<string, unknown>,
): Record<string, unknown> {
  const metadata = {
    name: "example",
    ...(namespaced && { namespace: "default" }),
    ...(object["metadata"] as object | undefined),
  };
  return { kind, apiVersion: group === "" ? version : `${group}/${version}`, ...object, metadata };
}

/** What the server gives an object when it is created. */
function withStored(object: unknown): unknown {
  const { metadata, ...rest } = object as { metadata?: Record<string, unknown> };
  return {
    ...rest,
    metadata: {
      ...metadata,
      uid: "0b2f2c4e-6d1a-4f60-9c6b-2f6f7f0f5f10",
      resourceVersion: "7",
      generation: 1,
      creationTimestamp: "2026-01-01T00:00:00Z",
    },
  };
}
