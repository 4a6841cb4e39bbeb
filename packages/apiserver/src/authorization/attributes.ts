import { aggregateText } from "@coxswain/apimachinery/field";
import type { FieldRequirement, LabelRequirement } from "@coxswain/apimachinery/selector";
import type { UserInfo } from "../server/user-info.js";
import { firstToDecide, whenKnown } from "../soon.js";

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
  (attributes) => {
    const reasons: string[] = [];
    const errors: string[] = [];
    const decided = firstToDecide(
      authorizers,
      (authorizer) => authorizer(attributes),
      (answer) => {
        if (answer.decision !== "no opinion") return answer;
        if (answer.reason !== "") reasons.push(answer.reason);
        if (answer.error !== undefined) errors.push(answer.error);
        return undefined;
      },
    );
    return whenKnown(decided, (decision) => {
      if (decision) return decision;
      const error = aggregateText(errors);
      return { ...noOpinion(reasons.join("\n")), ...(error === undefined ? {} : { error }) };
    });
  };
