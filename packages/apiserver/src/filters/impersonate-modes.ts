import { setOwn } from "@coxswain/apimachinery/own";
import type { StatusError } from "@coxswain/apimachinery/status";
import type { Attributes, Authorizer } from "../authorization/attributes.js";
import type { UserInfo } from "../request/user-info.js";
import { ask, checkWish } from "./impersonate-check.js";
import { accountOf, nodeNamed, type Wish } from "./impersonate-wish.js";

export interface ImpersonationMode {
  /** The right that it rests on, for the audit log; "" for the old one. */
  readonly constraint: string;
  /** Undefined: the mode is not for such a wish. `asked`: what the request itself is about. */
  become(wish: Wish, asked: Attributes): Promise<UserInfo | StatusError> | undefined;
}

/** In the order in which they are tried: a mode for some requests comes before one for all. */
export const impersonationModes = (authorizer: Authorizer): readonly ImpersonationMode[] => [
  associatedNode(authorizer),
  constrained(authorizer, "arbitrary-node", (wish) => onlyName(wish) && nodeNamed(wish.user) !== undefined),
  constrained(authorizer, "serviceaccount", (wish) => onlyName(wish) && accountOf(wish.user) !== undefined),
  constrained(authorizer, "user-info", ({ user }) => nodeNamed(user) === undefined && accountOf(user) === undefined),
  legacyMode(authorizer),
];

/** The form of before 1.35: one right, whatever is then done. */
export const legacyMode = (authorizer: Authorizer): ImpersonationMode => ({
  constraint: "",
  become: (wish, { user }) => checkWish({ authorizer, verb: "impersonate", constrained: false }, wish, user),
});

/** Two rights: to be taken for that user (`impersonate:<mode>`), and to do just this so (`impersonate-on:<mode>:<verb>`). */
function constrained(
  authorizer: Authorizer,
  mode: string,
  isFor: (wish: Wish, requestor: UserInfo) => boolean,
): ImpersonationMode {
  return {
    constraint: `impersonate:${mode}`,
    become: (wish, asked) => (isFor(wish, asked.user) ? checkBoth(authorizer, mode, wish, asked) : undefined),
  };
}

async function checkBoth(
  authorizer: Authorizer,
  mode: string,
  wish: Wish,
  asked: Attributes,
): Promise<UserInfo | StatusError> {
  return (
    (await ask(authorizer, { ...asked, verb: `impersonate-on:${mode}:${asked.verb}` })) ??
    checkWish({ authorizer, verb: `impersonate:${mode}`, constrained: true }, wish, asked.user)
  );
}

const onlyName = ({ groups, uid, extra }: Wish): boolean => groups.length === 0 && uid === "" && extra.length === 0;

const nodeNameKey = "authentication.kubernetes.io/node-name";

/** A service account for the node that its pod runs on. The right is one to all nodes: which one it is follows from the token. */
function associatedNode(authorizer: Authorizer): ImpersonationMode {
  const ofAnyNode: Authorizer = (asked) =>
    authorizer({
      ...asked,
      user: withoutExtra(asked.user),
      name: asked.verb === "impersonate:associated-node" ? "*" : asked.name,
    });
  return constrained(ofAnyNode, "associated-node", (wish, { name, extra }) => {
    const node = nodeNamed(wish.user);
    if (node === undefined || !onlyName(wish) || !accountOf(name)) return false;
    const known = extra && Object.hasOwn(extra, nodeNameKey) ? extra[nodeNameKey] : undefined;
    return known?.length === 1 && known[0] === node;
  });
}

function withoutExtra(user: UserInfo): UserInfo {
  const extra: Record<string, readonly string[]> = {};
  setOwn(extra, "authentication.kubernetes.io/associated-node-keys", Object.keys(user.extra ?? {}).sort());
  return { ...user, extra };
}
