import type { ChangedPath } from "@coxswain/apimachinery/object";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client } from "@coxswain/client";
import { FlagError } from "@coxswain/component/flags";

export const historyPath = "/apis/history.coxswain.dev/v1alpha1";

/** `kind: Change`, as far as it is shown (docs/history.md). */
export interface Change {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly creationTimestamp?: string };
  readonly object: {
    readonly apiVersion: string;
    readonly resource: string;
    readonly kind: string;
    readonly namespace?: string;
    readonly name: string;
    readonly uid?: string;
  };
  readonly revision: number;
  readonly previousRevision: number;
  readonly type: "Created" | "Updated" | "Deleted" | "DeletionRequested";
  readonly verb?: string;
  readonly subresource?: string;
  readonly user?: string;
  readonly manager?: string;
  readonly paths: readonly ChangedPath[];
  readonly causes?: readonly {
    readonly queue: string;
    readonly item: string;
    readonly began?: string;
    readonly revisions: readonly number[];
    readonly certainty: string;
  }[];
  readonly valuesWithheld?: true;
  readonly before?: unknown;
  readonly after?: unknown;
}

export const changesPath = (namespace: string): string =>
  namespace === "" ? `${historyPath}/changes` : `${historyPath}/namespaces/${namespace}/changes`;

interface ChangesQuery {
  /** "" for all. */
  readonly namespace: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** Newest first, page by page. */
export async function* readChanges(client: Client, { namespace, fields = {} }: ChangesQuery): AsyncGenerator<Change> {
  const fieldSelector = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  let next = "";
  do {
    const query: [string, string][] = [
      ["limit", "500"],
      ...(fieldSelector === "" ? [] : [["fieldSelector", fieldSelector] as [string, string]]),
      ...(next === "" ? [] : [["continue", next] as [string, string]]),
    ];
    const page = await askHistory<{ items: Change[]; metadata: { continue?: string } }>(client, {
      method: "GET",
      path: changesPath(namespace),
      query,
    });
    yield* page.items;
    next = page.metadata.continue ?? "";
  } while (next !== "");
}

/** A request to the group; a server without it is reported as that. */
export async function askHistory<T>(client: Client, request: Parameters<Client["rest"]["send"]>[0]): Promise<T> {
  try {
    return (await client.rest.send(request)) as T;
  } catch (error) {
    if (isNotFound(error) && (await isWithoutHistory(client)))
      throw new FlagError(
        'this cluster keeps no history: "coxswain up" does, and "coxswain apiserver --history" (docs/history.md)',
      );
    throw error;
  }
}

async function isWithoutHistory(client: Client): Promise<boolean> {
  const { groups } = await client.server.surface();
  return !groups.some(({ name }) => name === "history.coxswain.dev");
}
