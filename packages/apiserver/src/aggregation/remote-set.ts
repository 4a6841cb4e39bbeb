import type { ApiSource } from "../catalogue/api-source.js";
import type { Handler } from "../request/filter.js";
import type { GroupVersion } from "./api-service.js";
import type { Backend } from "./backend.js";

/** A group-version that another server serves. */
export interface Remote {
  backend: Backend;
  readonly handle: Handler;
}

/** The group-versions of other servers. First in the order of delegation: while it is empty, a request pays one comparison. */
export interface RemoteSet extends ApiSource {
  get(of: GroupVersion): Remote | undefined;
  all(): Iterable<Remote>;
  /** Undefined: it is served by another no longer. @returns whether it came or went */
  set(of: GroupVersion, backend: Backend | undefined, handle: (backend: Backend) => Handler): boolean;
}

export function createRemoteSet(): RemoteSet {
  /** By group and version. */
  const groups = new Map<string, Map<string, Remote>>();
  const get = ({ group, version }: GroupVersion): Remote | undefined => groups.get(group)?.get(version);
  return {
    resolve(info) {
      if (groups.size === 0) return undefined;
      const remote = get(info);
      return remote && { as: "delegate", handle: remote.handle };
    },
    hasGroup: () => false, // a backend answers for groups that it lacks
    kinds: () => [],
    get,
    *all() {
      for (const versions of groups.values()) yield* versions.values();
    },
    set(of, backend, handle) {
      const known = get(of);
      if (known && backend) {
        known.backend = backend;
        return false;
      }
      if (!backend) return known !== undefined && remove(of);
      const remote: Remote = { backend, handle: (context) => handle(remote.backend)(context) };
      const versions = groups.get(of.group);
      if (versions) versions.set(of.version, remote);
      else groups.set(of.group, new Map([[of.version, remote]]));
      return true;
    },
  };

  function remove({ group, version }: GroupVersion): boolean {
    const versions = groups.get(group);
    versions?.delete(version);
    if (versions?.size === 0) groups.delete(group);
    return true;
  }
}
