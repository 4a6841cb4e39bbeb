import type { ObjectMeta } from "@coxswain/api/meta/v1";

/** A whole number of 32 bits: `type: integer, format: int32`. */
export type Int32 = number;
/** A whole number; JavaScript's are exact up to 2^53. `type: integer, format: int64`. */
export type Int64 = number;
/** A whole number of any size: `type: integer`. */
export type Integer = number;

/** What every object has. As a member of another type: an object of any kind. */
export interface KubernetesObject {
  apiVersion?: string;
  kind?: string;
  metadata?: ObjectMeta;
}

/** A custom resource with the usual two halves: what is wanted, and what is. */
export interface CustomResource<Spec, Status = never> extends KubernetesObject {
  spec: Spec;
  status?: Status;
}

/** An object of any kind inside another, with whatever it holds. */
export type EmbeddedResource = KubernetesObject & { [name: string]: unknown };
