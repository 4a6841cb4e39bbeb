import { setOwn } from "@coxswain/apimachinery/own";
import type { StatusError } from "@coxswain/apimachinery/status";
import type { Attributes, Authorizer } from "../authorization/attributes.js";
import type { UserInfo } from "../request/user-info.js";
import { ask, checkImpersonation } from "./impersonate-check.js";
import { accountOf, type ImpersonationRequest, nodeNamed } from "./impersonation-request.js";

export interface ImpersonationMode {
  /** The right that it rests on, for the audit log; "" for the old one. */
  readonly constraint: string;
  /** Undefined: the mode is not for such a requested. `asked`: what the request itself is about. */
  become(requested: ImpersonationRequest, asked: Attributes): Promise<UserInfo | StatusError> | undefined;
}

/** In the order in which they are tried: a mode for some requests comes before one for all. */
export const impersonationModes = (authorizer: Authorizer): readonly ImpersonationMode[] => [
  associatedNode(authorizer),
  constrained(
    authorizer,
    "arbitrary-node",
    (requested) => onlyName(requested) && nodeNamed(requested.user) !== undefined,
  ),
  constrained(
    authorizer,
    "serviceaccount",
    (requested) => onlyName(requested) && accountOf(requested.user) !== undefined,
  ),
  constrained(authorizer, "user-info", ({ user }) => nodeNamed(user) === undefined && accountOf(user) === undefined),
  legacyMode(authorizer),
];

/** The form of before 1.35: one right, whatever is then done. */
export const legacyMode = (authorizer: Authorizer): ImpersonationMode => ({
  constraint: "",
  become: (requested, { user }) =>
    checkImpersonation({ authorizer, verb: "impersonate", constrained: false }, requested, user),
});

/** Two rights: to be taken for that user (`impersonate:<mode>`), and to do just this so (`impersonate-on:<mode>:<verb>`). */
function constrained(
  authorizer: Authorizer,
  mode: string,
  isFor: (requested: ImpersonationRequest, requestor: UserInfo) => boolean,
): ImpersonationMode {
  return {
    constraint: `impersonate:${mode}`,
    become: (requested, asked) =>
      isFor(requested, asked.user) ? checkBoth(authorizer, mode, requested, asked) : undefined,
  };
}

async function checkBoth(
  authorizer: Authorizer,
  mode: string,
  requested: ImpersonationRequest,
  asked: Attributes,
): Promise<UserInfo | StatusError> {
  return (
    (await ask(authorizer, { ...asked, verb: `impersonate-on:${mode}:${asked.verb}` })) ??
    checkImpersonation({ authorizer, verb: `impersonate:${mode}`, constrained: true }, requested, asked.user)
  );
}

const onlyName = ({ groups, uid, extra }: ImpersonationRequest): boolean =>
  groups.length === 0 && uid === "" && extra.length === 0;

const nodeNameKey = "authentication.kubernetes.io/node-name";

/** A service account for the node that its pod runs on. The right is one to all nodes: which one it is follows from the token. */
function associatedNode(authorizer: Authorizer): ImpersonationMode {
  const ofAnyNode: Authorizer = (asked) =>
    authorizer({
      ...asked,
      user: withoutExtra(asked.user),
      name: asked.verb === "impersonate:associated-node" ? "*" : asked.name,
    });
  return constrained(ofAnyNode, "associated-node", (requested, { name, extra }) => {
    const node = nodeNamed(requested.user);
    if (node === undefined || !onlyName(requested) || !accountOf(name)) return false;
    const known = extra && Object.hasOwn(extra, nodeNameKey) ? extra[nodeNameKey] : undefined;
    return known?.length === 1 && known[0] === node;
  });
}

function withoutExtra(user: UserInfo): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  setOwn(extra, "authentication.kubernetes.io/associated-node-keys", Object.keys(user.extra ?? {}).sort());
  return { ...user, extra };
}
