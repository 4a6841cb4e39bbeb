import { builtInTypes } from "@coxswain/api/tables";
import { createSeededRandom, shuffled } from "@coxswain/runtime/random";
import type { JsonObject } from "../record/index.js";
import type { Change } from "./change.js";
import { changeText } from "./change.js";
import { changesOf } from "./changes-of.js";
import { postedTo } from "./posted.js";
import { completeObject, isStored, nameOf, type Subject, subjectName } from "./subject.js";

export type Way = "create" | "put" | "merge-patch" | "strategic-patch" | "json-patch" | "get" | "list" | "delete";

/**
 * - `new`: nothing is stored yet. `make`: the object comes to be, one case after the other. `stored`: it is there and stays
 *   as it is, for these cases are dry runs. `end`: it goes.
 */
export type Phase = "new" | "make" | "stored" | "end";

/** One request about one object of a subject. */
export interface OracleCase {
  /** Which of the subject's objects. */
  readonly base: number;
  readonly phase: Phase;
  /** Unique within the subject. */
  readonly sentence: string;
  readonly way: Way;
  readonly subresource?: string;
  readonly change?: Change;
  /** What is posted to the subresource, before the change. */
  readonly body?: JsonObject;
  /** Without the question mark. */
  readonly query: string;
  readonly table?: boolean;
}

export interface CaseOptions {
  readonly seed: string;
  /** How many cases of a subject, beside the few that every object has. */
  readonly limit: number;
}

const patches: readonly Way[] = ["merge-patch", "strategic-patch", "json-patch"];
const validations = ["", "&fieldValidation=Strict", "&fieldValidation=Warn", "&fieldValidation=Ignore"];

/** The same options make the same cases, everywhere. */
export function casesOf(subject: Subject, { seed, limit }: CaseOptions): OracleCase[] {
  const random = createSeededRandom(seed).fork(subjectName(subject));
  const fixed = subject.objects.flatMap((_, base) => fixedCases(subject, base));
  const changed = subject.objects.flatMap((_, base) => changedCases(subject, base));
  const chosen =
    changed.length <= limit ? changed : pick(changed, shuffled([...changed.keys()], random).slice(0, limit));
  return [...fixed, ...chosen];
}

const pick = <T>(items: readonly T[], indices: number[]): T[] =>
  indices.sort((a, b) => a - b).map((index) => items[index] as T);

/** Subresources through which the object itself is written. */
const viewsOf = ({ info }: Subject): string[] =>
  info.subresources
    .filter(({ verbs, kind }) => verbs.includes("update") && kind.kind === info.kind)
    .map(({ name }) => name);
const hasScale = ({ info }: Subject): boolean =>
  info.subresources.some(({ name, kind }) => name === "scale" && kind.kind === "Scale");

function fixedCases(subject: Subject, base: number): OracleCase[] {
  const of = (phase: Phase, way: Way, what: string, more: Partial<OracleCase> = {}): OracleCase => ({
    base,
    phase,
    way,
    sentence: `${base}: ${what}`,
    query: "",
    ...more,
  });
  if (!isStored(subject)) return [of("new", "create", "create")];
  const withStatus = subject.objects[base]?.["status"] !== undefined && viewsOf(subject).includes("status");
  return [
    of("make", "create", "create"),
    ...(withStatus ? [of("make", "put", "write status", { subresource: "status" })] : []),
    of("stored", "get", "get"),
    of("stored", "get", "get as a table", { table: true }),
    of("stored", "list", "list as a table", {
      table: true,
      query: subject.info.namespaced ? "" : `fieldSelector=metadata.name%3D${nameOf(subject, base)}`,
    }),
    of("stored", "put", "put as it is", { query: "dryRun=All" }),
    of("stored", "create", "create again"),
    ...(hasScale(subject) ? [of("stored", "get", "get scale", { subresource: "scale" })] : []),
    ...postedTo(subject.info.resource).flatMap(({ subresource, bodies }) =>
      bodies.map((body, at) =>
        of("stored", "create", `post ${subresource} ${at}`, { subresource, body, query: "dryRun=All" }),
      ),
    ),
    of("stored", "delete", "delete in a dry run", { query: "dryRun=All" }),
    of("end", "delete", "delete"),
  ];
}

function changedCases(subject: Subject, base: number): OracleCase[] {
  const object = completeObject(subject, base, subject.objects[base] ?? {});
  const changes = changesOf(object, builtInTypes.get(subject.info.schema), subject);
  const found = changes
    .flatMap((change, ordinal) => askedOf(subject, base, change, ordinal))
    .filter(({ phase }) => phase === "new" || isStored(subject));
  return [...found, ...(hasScale(subject) ? scaleCases(base) : []), ...postedCases(subject, base)];
}

function scaleCases(base: number): OracleCase[] {
  const changes = changesOf(
    { metadata: {}, spec: { replicas: 1 } },
    builtInTypes.get("io.k8s.api.autoscaling.v1.Scale"),
  );
  return changes.flatMap((change, ordinal) => {
    const ways: readonly Way[] =
      change.about === "value" ? ["put", patches[ordinal % patches.length] ?? "merge-patch"] : ["put"];
    return ways.map((way) => ({
      base,
      phase: "stored" as const,
      way,
      sentence: `${base}: ${way} scale, ${changeText(change)}`,
      query: "dryRun=All",
      subresource: "scale",
      change,
    }));
  });
}

/** Bindings, evictions and tokens: in dry runs, for each would change what stands behind the next. */
function postedCases(subject: Subject, base: number): OracleCase[] {
  return postedTo(subject.info.resource).flatMap(({ subresource, schema, bodies, skip }) =>
    bodies.flatMap((body, at) =>
      changesOf({ metadata: {}, ...body }, builtInTypes.get(schema), { skip, whole: [] }).map((change) => ({
        base,
        phase: "stored" as const,
        way: "create" as const,
        sentence: `${base}: post ${subresource} ${at}, ${changeText(change)}`,
        query: "dryRun=All",
        subresource,
        body,
        change,
      })),
    ),
  );
}

function askedOf(subject: Subject, base: number, change: Change, ordinal: number): OracleCase[] {
  const text = changeText(change);
  const of = (phase: Phase, way: Way, what: string, more: Partial<OracleCase> = {}): OracleCase => ({
    base,
    phase,
    way,
    sentence: `${base}: ${what}, ${text}`,
    query: "dryRun=All",
    change,
    ...more,
  });
  if (change.about === "unknown") {
    const query = `dryRun=All${validations[ordinal % validations.length]}`;
    const named = query.replace("dryRun=All", "").replace("&fieldValidation=", " ");
    return [of("new", "create", `create${named}`, { query }), of("stored", "put", `put${named}`, { query })];
  }
  const create = of("new", "create", "create");
  if (change.about === "type" && change.value !== null) return [create];
  const patch = patches[ordinal % patches.length] ?? "merge-patch";
  return [
    create,
    ...(ordinal % 3 === 0 ? [of("new", "create", "create as a table", { table: true })] : []),
    of("stored", "put", "put"),
    of("stored", patch, patch),
    ...viewsOf(subject).map((view) =>
      of("stored", "put", `put ${view}`, { subresource: view, ...(ordinal % 3 === 0 && { table: true }) }),
    ),
  ];
}
