import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { metaV1 } from "@coxswain/api/types";
import { type Runtime, systemRuntime } from "@coxswain/runtime";
import {
  type ApiSurface,
  type DiscoveryCache,
  groupOfLegacy,
  legacyDocuments,
  resourcesOfList,
} from "../discovery/index.js";

export interface DiskDiscoveryOptions {
  /** The server's address: each has a folder of its own. */
  readonly server: string;
  /** @default KUBECACHEDIR, else ~/.kube/cache; kubectl's own */
  readonly folder?: string;
  /** @default 6 h, as kubectl */
  readonly maxAgeMs?: number;
  /** The age of files counts by its `ioClock`. @default systemRuntime() */
  readonly runtime?: Runtime;
}

/** Discovery that survives the process, in kubectl's layout: what one of the two has asked, the other need not ask. */
export function createDiskDiscoveryCache(options: DiskDiscoveryOptions): DiscoveryCache {
  const { server, maxAgeMs = 6 * 3600_000, runtime = systemRuntime() } = options;
  const root = options.folder ?? (process.env["KUBECACHEDIR"] || join(homedir(), ".kube", "cache"));
  const folder = join(root, "discovery", folderOf(server));
  const groupsFile = join(folder, "servergroups.json");
  const resourcesFile = (groupVersion: string): string =>
    join(folder, ...groupVersion.split("/"), "serverresources.json");

  const readDocument = async <T>(file: string): Promise<T | undefined> => {
    try {
      if (runtime.ioClock.now() - (await stat(file)).mtimeMs > maxAgeMs) return undefined;
      return JSON.parse(await readFile(file, "utf8")) as T;
    } catch {
      return undefined; // missing or damaged: the server is asked
    }
  };
  return {
    async read(): Promise<ApiSurface | undefined> {
      const list = await readDocument<metaV1.APIGroupList>(groupsFile);
      if (list === undefined) return undefined;
      const versions = list.groups.flatMap((group) => group.versions.map(({ groupVersion }) => groupVersion));
      const documents = await Promise.all(
        versions.map((one) => readDocument<metaV1.APIResourceList>(resourcesFile(one))),
      );
      const known = new Map(versions.map((one, index) => [one, documents[index]]));
      if (documents.includes(undefined)) return undefined;
      const resourcesOf = (groupVersion: string) => {
        const document = known.get(groupVersion);
        return document && resourcesOfList(document);
      };
      return { groups: list.groups.map((group) => groupOfLegacy(group, resourcesOf)), failed: [] };
    },
    async write(surface) {
      const { groups, resources } = legacyDocuments(surface);
      try {
        for (const [groupVersion, document] of resources) await writeDocument(resourcesFile(groupVersion), document);
        await writeDocument(groupsFile, groups);
      } catch {
        // A read-only home is no reason to fail: the next process asks the server again.
      }
    },
  };
}

/** As kubectl names it: without the scheme, odd characters replaced. */
const folderOf = (server: string): string => server.replace(/^https?:\/\//, "").replace(/[^\w/.()]/g, "_");

async function writeDocument(file: string, document: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o750 });
  const partial = `${file}.${process.pid}`;
  await writeFile(partial, JSON.stringify(document), { mode: 0o660 });
  await rename(partial, file);
}
