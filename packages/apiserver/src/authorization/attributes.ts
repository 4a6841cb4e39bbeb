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
}

/** "no opinion" lets the next authorizer decide; when nobody allows, it is forbidden. */
export interface Decision {
  readonly decision: "allow" | "deny" | "no opinion";
  readonly reason: string;
}

export type Authorizer = (attributes: Attributes) => Decision;

export const allowed = (reason = ""): Decision => ({ decision: "allow", reason });
export const denied = (reason = ""): Decision => ({ decision: "deny", reason });
export const noOpinion = (reason = ""): Decision => ({ decision: "no opinion", reason });

/** Asks one after the other until one decides. Reasons of those that did not are kept, as a denial names them all. */
export const union =
  (...authorizers: readonly Authorizer[]): Authorizer =>
  (attributes) => {
    const reasons: string[] = [];
    for (const authorizer of authorizers) {
      const answer = authorizer(attributes);
      if (answer.decision !== "no opinion") return answer;
      if (answer.reason !== "") reasons.push(answer.reason);
    }
    return noOpinion(reasons.join("\n"));
  };
