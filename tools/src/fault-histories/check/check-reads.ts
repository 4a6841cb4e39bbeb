import type { CommittedLog } from "../history/committed-log.js";
import type { Operation, SeenObject } from "../history/operation.js";
import { describeOperation, sameObject } from "./describe.js";

/** A list is the state at the revision that it names, a single object one that was; and both are as new, or of the time, as asked. */
export function checkReads(operations: readonly Operation[], log: CommittedLog): string[] {
  return operations.flatMap((operation) => {
    const { request, outcome } = operation;
    if (!("read" in request)) return [];
    const problems =
      outcome.kind === "listed"
        ? [...differences(outcome.objects, log.stateAt(outcome.revision)), ...wrongTime(operation, outcome.revision)]
        : request.verb === "get" && outcome.kind === "done" && outcome.object
          ? problemsOfObject(operation, outcome.object, log)
          : [];
    return problems.map((problem) => `${describeOperation(operation)} ${problem}`);
  });
}

function differences(objects: readonly SeenObject[], state: Map<string, SeenObject>): string[] {
  const seen = new Map(objects.map((object) => [object.key, object]));
  const twice = seen.size < objects.length ? ["has an object twice"] : [];
  const wrong = [...new Set([...seen.keys(), ...state.keys()])].filter(
    (key) => !sameObject(seen.get(key), state.get(key)),
  );
  return [
    ...twice,
    ...wrong.map((key) => `has ${key} at ${seen.get(key)?.revision}, where ${state.get(key)?.revision} stood`),
  ];
}

function wrongTime({ request }: Operation, revision: number): string[] {
  if (!("read" in request) || typeof request.read === "string") return [];
  if ("exactly" in request.read)
    return request.read.exactly === revision ? [] : [`is of ${revision} instead of ${request.read.exactly}`];
  return revision >= request.read.notOlderThan ? [] : [`is of ${revision}, older than asked for`];
}

function problemsOfObject({ request }: Operation, object: SeenObject, log: CommittedLog): string[] {
  if (!sameObject(log.objectAt(object.key, object.revision), object))
    return [`has ${object.revision}, which never was`];
  if (!("read" in request) || typeof request.read === "string" || !("notOlderThan" in request.read)) return [];
  const next = log.ofKey(object.key).find(({ revision }) => revision > object.revision);
  return next && next.revision <= request.read.notOlderThan ? [`has ${object.revision}, older than asked for`] : [];
}
