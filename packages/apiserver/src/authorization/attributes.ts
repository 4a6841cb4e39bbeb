import { aggregateText } from "@coxswain/apimachinery/field";
import type { FieldRequirement, LabelRequirement } from "@coxswain/apimachinery/selector";
import type { UserInfo } from "../server/user-info.js";

/** A question to an authorizer: may this user do that? */
export interface Attributes {
  readonly user: UserInfo;
  readonly verb: string;
  /** False: `path` is what is asked for, and the resource members are "". */
  readonly isResource: boolean;
  readonly path: string;
  readonly namespace: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  /** Only what these select is asked for, where the question says so. */
  readonly fieldSelector?: AskedSelector<FieldRequirement>;
  readonly labelSelector?: AskedSelector<LabelRequirement>;
}

/** All requirements hold together, so those that could not be read are left out: the question is then about more, never about less. */
export interface AskedSelector<Requirement> {
  readonly requirements: readonly Requirement[];
  /** What could not be read. */
  readonly error?: string;
}

/** "no opinion" lets the next authorizer decide; when nobody allows, it is forbidden. */
export interface Decision {
  readonly decision: "allow" | "deny" | "no opinion";
  readonly reason: string;
  /** Why it could not be decided. Whoever is not allowed then hears of an internal error. */
  readonly error?: string;
}

/** Most answer at once; one that asks somebody else answers later. */
export type Authorizer = (attributes: Attributes) => Decision | Promise<Decision>;

export const allowed = (reason = ""): Decision => ({ decision: "allow", reason });
export const denied = (reason = ""): Decision => ({ decision: "deny", reason });
export const noOpinion = (reason = ""): Decision => ({ decision: "no opinion", reason });

/** Asks one after the other until one decides. Reasons and errors of those that did not are kept, as a denial names them all. */
export const union =
  (...authorizers: readonly Authorizer[]): Authorizer =>
  (attributes) =>
    ask(authorizers, attributes, 0, { reasons: [], errors: [] });

interface Said {
  readonly reasons: string[];
  readonly errors: string[];
}

function ask(authorizers: readonly Authorizer[], attributes: Attributes, from: number, said: Said): Decision | Promise<Decision> {
  for (let at = from; at < authorizers.length; at++) {
    const answer = authorizers[at]?.(attributes) ?? noOpinion();
    if (answer instanceof Promise) return answer.then((late) => note(late, said) ?? ask(authorizers, attributes, at + 1, said));
    const decided = note(answer, said);
    if (decided) return decided;
  }
  const error = aggregateText(said.errors);
  return { ...noOpinion(said.reasons.join("\n")), ...(error === undefined ? {} : { error }) };
}

function note(answer: Decision, { reasons, errors }: Said): Decision | undefined {
  if (answer.decision !== "no opinion") return answer;
  if (answer.reason !== "") reasons.push(answer.reason);
  if (answer.error !== undefined) errors.push(answer.error);
  return undefined;
}
