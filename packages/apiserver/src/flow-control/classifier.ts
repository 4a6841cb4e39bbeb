import type { FlowSchema, FlowSchemaSpec } from "@coxswain/api/flowcontrol/v1";
import { deal, hashFlow } from "./dealer.js";
import type { Flow } from "./fair-request.js";
import type { FlowTally } from "./flow-tally.js";
import { matchesFlowSchema, type RequestDigest } from "./match-flow-schema.js";
import type { PriorityLevel } from "./priority-level.js";

/** A schema whose level exists. */
export interface UsedSchema {
  readonly name: string;
  readonly spec: FlowSchemaSpec;
  readonly level: PriorityLevel;
  readonly tally: FlowTally;
  /** Response headers: UIDs rather than names, which only administrators may see. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a request belongs to. */
export interface ClassifiedFlow extends Flow {
  readonly schema: UsedSchema;
  readonly level: PriorityLevel;
}

/** The first in this order that matches decides. */
export const byPrecedence = (a: FlowSchema, b: FlowSchema): number => {
  const difference = (a.spec?.matchingPrecedence ?? 1000) - (b.spec?.matchingPrecedence ?? 1000);
  return difference !== 0 ? difference : (a.metadata?.name ?? "") < (b.metadata?.name ?? "") ? -1 : 1;
};

/** Sizes of the cache of classified requests, which is cleared when it is full: users are as many as clients invent. */
const maxCachedUsers = 1000;
const maxCachedRequestsPerUser = 500;

interface UserFlows {
  readonly groups: readonly string[];
  readonly flows: Map<string, ClassifiedFlow>;
}

/** Cached by the request's info, which is cached by path. */
const keys = new WeakMap<RequestDigest["info"], string>();

/** What decides beside the user. */
function keyOf(info: RequestDigest["info"]): string {
  let key = keys.get(info);
  if (key === undefined)
    keys.set(
      info,
      (key = info.isResource
        ? `${info.verb} ${info.group} ${info.resource}/${info.subresource} ${info.namespace}`
        : `${info.verb} ${info.path}`),
    );
  return key;
}

/** Finds the flow of a request. Valid for one configuration; the last schema takes what no other did. */
export class Classifier {
  readonly #schemas: readonly UsedSchema[];
  readonly #fallback: UsedSchema;
  readonly #users = new Map<string, UserFlows>();

  constructor(schemas: readonly UsedSchema[]) {
    this.#schemas = schemas;
    const fallback = schemas.find(({ name }) => name === "catch-all");
    if (!fallback) throw new Error("there is always a schema that takes the rest");
    this.#fallback = fallback;
  }

  flowOf(digest: RequestDigest): ClassifiedFlow {
    const { user, info } = digest;
    let known = this.#users.get(user.name);
    if (!known || !isSame(known.groups, user.groups)) {
      if (this.#users.size >= maxCachedUsers) this.#users.clear();
      this.#users.set(user.name, (known = { groups: user.groups, flows: new Map() }));
    }
    const key = keyOf(info);
    let flow = known.flows.get(key);
    if (!flow) {
      if (known.flows.size >= maxCachedRequestsPerUser) known.flows.clear();
      known.flows.set(key, (flow = this.#classify(digest)));
    }
    return flow;
  }

  #classify(digest: RequestDigest): ClassifiedFlow {
    const schema = this.#schemas.find(({ spec }) => matchesFlowSchema(digest, spec)) ?? this.#fallback;
    const { level, tally } = schema;
    const queuing = level.spec.limited?.limitResponse?.queuing;
    const queues = queuing?.queues ?? (queuing ? 64 : 0);
    const distinguisher = queues > 1 ? distinguisherOf(digest, schema.spec) : "";
    const hand =
      queues === 0
        ? []
        : queues === 1
          ? [0]
          : deal(hashFlow(schema.name, distinguisher), queues, queuing?.handSize ?? 8);
    return { schema, level, tally, distinguisher, hand };
  }
}

function distinguisherOf({ user, info }: RequestDigest, { distinguisherMethod }: FlowSchemaSpec): string {
  if (distinguisherMethod?.type === "ByUser") return user.name;
  return distinguisherMethod?.type === "ByNamespace" ? info.namespace : "";
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
