import type { Client } from "@coxswain/client";
import {
  type AccessUser,
  createDelegatedAccess,
  type DelegatedAccess,
  type PresentedCredentials,
} from "@coxswain/component/delegated-access";
import type { Clock } from "@coxswain/runtime/clock";
import { KubeletRefusal } from "./kubelet-source.js";
import { subresourcesOf, verbOf } from "./node-attributes.js";

/** Whom a connection inside the process is of. */
export interface InsideUser {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** What a client presents. */
export interface Credentials extends PresentedCredentials {
  /** Of a connection inside the process, in place of a certificate. */
  readonly user?: InsideUser | undefined;
}

/** Decides who may ask the kubelet of a node for what. */
export interface KubeletAccess {
  /** @throws KubeletRefusal 401, 403 */
  check(
    credentials: Credentials,
    asked: { readonly method: string; readonly path: string; node(): string },
  ): Promise<void>;
}

/** The defaults of KubeletConfiguration (pkg/kubelet/apis/config/v1beta1/defaults.go): webhook modes, and no anonymous requests. */
const remembered = { tokensMs: 2 * 60_000, allowedMs: 5 * 60_000, deniedMs: 30_000 };

/** As upstream's kubelet checks requests (pkg/kubelet/server/server.go, InstallAuthFilter), each node with the rights of its own. */
export function createKubeletAccess({
  clientOf,
  clock,
}: {
  /** The client of a node. */
  clientOf(node: string): Client;
  readonly clock: Clock;
}): KubeletAccess {
  const accesses = new Map<string, DelegatedAccess>();
  const accessOf = (node: string): DelegatedAccess => {
    let access = accesses.get(node);
    if (!access) {
      const client = clientOf(node);
      access = createDelegatedAccess({
        authentication: client,
        authorization: client,
        acceptsAnonymous: false,
        alwaysAllowGroups: [],
        remembered,
        clock,
      });
      accesses.set(node, access);
    }
    return access;
  };
  return {
    async check(credentials, { method, path, node }) {
      // Before anything else: who presents nothing learns nothing, not even which nodes there are.
      if (!presentsAnything(credentials)) throw new KubeletRefusal(401, "Unauthorized");
      const name = node();
      const access = accessOf(name);
      const user = await userOf(access, credentials);
      if (!user) throw new KubeletRefusal(401, "Unauthorized");
      const verb = verbOf(method);
      const subresources = subresourcesOf(path);
      for (const subresource of subresources) if (await isAllowed(access, user, { verb, subresource, name })) return;
      throw new KubeletRefusal(
        403,
        `Forbidden (user=${user.username}, verb=${verb}, resource=nodes, subresource(s)=[${subresources.join(" ")}])\n`,
      );
    },
  };
}

const presentsAnything = ({ user, certificate, authorization }: Credentials): boolean =>
  user !== undefined || certificate !== undefined || authorization !== undefined;

/** Undefined also where the API server cannot be asked: as upstream (pkg/kubelet/server/server.go, InstallAuthFilter), that is no more than not being authenticated. */
async function userOf(access: DelegatedAccess, { user, ...presented }: Credentials): Promise<AccessUser | undefined> {
  if (!user) return access.authenticate(presented).catch(() => undefined);
  const { name, ...rest } = user;
  return { username: name, ...rest };
}

function isAllowed(
  access: DelegatedAccess,
  user: AccessUser,
  { verb, subresource, name }: { readonly verb: string; readonly subresource: string; readonly name: string },
): Promise<boolean> {
  return access.authorize(user, { kind: "resource", verb, resource: "nodes", subresource, name }).catch(() => {
    const what = `user=${user.username}, verb=${verb}, resource=nodes, subresource=${subresource}`;
    throw new KubeletRefusal(500, `Authorization error (${what})`);
  });
}
