import type { JsonObject } from "../record/index.js";

/** What is posted to a subresource, in a type of its own. */
export interface Posted {
  readonly subresource: string;
  /** Of the type's table. */
  readonly schema: string;
  readonly bodies: readonly JsonObject[];
  /** Paths, without indices, whose members are left alone. */
  readonly skip: readonly string[];
}

const posted: Readonly<Record<string, readonly Posted[]>> = {
  pods: [
    {
      subresource: "binding",
      schema: "io.k8s.api.core.v1.Binding",
      bodies: [
        { target: { kind: "Node", name: "node-1" } },
        {
          metadata: { labels: { a: "b" }, annotations: { c: "d" } },
          target: { apiVersion: "v1", name: "node-1", namespace: "x" },
        },
      ],
      skip: [],
    },
    {
      subresource: "eviction",
      schema: "io.k8s.api.policy.v1.Eviction",
      bodies: [
        {},
        { deleteOptions: { gracePeriodSeconds: 5, propagationPolicy: "Background", preconditions: { uid: "x" } } },
      ],
      skip: [],
    },
  ],
  serviceaccounts: [
    {
      subresource: "token",
      schema: "io.k8s.api.authentication.v1.TokenRequest",
      bodies: [
        { spec: {} },
        {
          spec: {
            audiences: ["a", "b"],
            expirationSeconds: 3600,
            boundObjectRef: { kind: "Secret", apiVersion: "v1", name: "example-0" },
          },
        },
      ],
      skip: [],
    },
  ],
};

/** By the resource's name. */
export const postedTo = (resource: string): readonly Posted[] => posted[resource] ?? [];
