import { aggregateText } from "@coxswain/apimachinery/field";
import type { FieldRequirement, LabelRequirement } from "@coxswain/apimachinery/selector";
import { type DecisionChain, firstToDecide, type Soon } from "@coxswain/runtime/soon";
import type { UserInfo } from "../request/user-info.js";

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
  /** Only what these select is asked for, where the request has selectors. */
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
  /** Why it could not be decided. A user that is not allowed then gets an internal error. */
  readonly error?: string;
}

/** Most answer at once; one that asks somebody else answers later. */
export type Authorizer = (attributes: Attributes) => Decision | Promise<Decision>;

export const allowed = (reason = ""): Decision => (reason === "" ? allowedAtOnce : { decision: "allow", reason });
export const denied = (reason = ""): Decision => ({ decision: "deny", reason });
export const noOpinion = (reason = ""): Decision => (reason === "" ? silence : { decision: "no opinion", reason });

/** Returned for most requests by most authorizers. */
const silence: Decision = { decision: "no opinion", reason: "" };
const allowedAtOnce: Decision = { decision: "allow", reason: "" };

/** Asks one after the other until one decides. Reasons and errors of those that did not are kept, as a denial names them all. */
export const union =
  (...authorizers: readonly Authorizer[]): Authorizer =>
  (attributes) =>
    firstToDecide(authorizers, new UnionAuthorization(attributes));

class UnionAuthorization implements DecisionChain<Authorizer, Decision, Decision> {
  readonly #attributes: Attributes;
  #reasons: string[] | undefined;
  #errors: string[] | undefined;

  constructor(attributes: Attributes) {
    this.#attributes = attributes;
  }

  ask(authorizer: Authorizer): Soon<Decision> {
    return authorizer(this.#attributes);
  }

  decide(answer: Decision): Decision | undefined {
    if (answer.decision !== "no opinion") return answer;
    if (answer.reason !== "") (this.#reasons ??= []).push(answer.reason);
    if (answer.error !== undefined) (this.#errors ??= []).push(answer.error);
    return undefined;
  }

  otherwise(): Decision {
    const error = aggregateText(this.#errors ?? []);
    return { ...noOpinion((this.#reasons ?? []).join("\n")), ...(error === undefined ? {} : { error }) };
  }
}
