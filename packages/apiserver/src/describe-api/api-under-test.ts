import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { Transport } from "@coxswain/client/transport";

/** A running server with no objects of the kind in it, and the way to it as a user who may do everything. */
export interface OpenedApi {
  readonly transport: Transport;
  /** Cleans up. */
  stop(): Promise<void>;
}

/** One kind of an API server, for `describeApi`. */
export interface ApiUnderTest {
  open(): Promise<OpenedApi>;
  readonly group: string;
  /** The version that is tested; `objects` are in it. */
  readonly version: string;
  /** Others that are served: what is written in one is read in all. @default none */
  readonly otherVersions?: readonly string[];
  /** As in paths. */
  readonly plural: string;
  readonly namespaced: boolean;
  /** A valid object without a name. The same each time. */
  valid(): ApiObject;
  /** A valid change of it, as a merge patch: it changes a member that `valid` sets, and holds all that is required. */
  readonly change: Readonly<Record<string, unknown>>;
  /** Objects that are refused with 422, by what is wrong with them. @default none */
  readonly invalid?: Readonly<Record<string, ApiObject>>;
  /** A status to write, where the kind has the subresource. @default it has none */
  readonly status?: Readonly<Record<string, unknown>>;
  /** Titles of checks that fail, with the reason. A gap that has closed fails too, so that it is deleted here. */
  readonly knownGaps?: Readonly<Record<string, string>>;
}

/** An object's content: the suite adds its name, kind and version. */
export type ApiObject = Omit<KubernetesObject, "apiVersion" | "kind" | "metadata"> & Readonly<Record<string, unknown>>;
