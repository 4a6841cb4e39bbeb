import type { CustomResource, Int32 } from "@coxswain/schema-types";

/** Types that Go does not have: they are not compared with controller-gen's, only accepted by servers. */
interface UnionsSpec {
  /** Apart by a discriminator. */
  source: { type: "file"; path: string } | { type: "url"; url: string };
  /** Both may be there. */
  target?: { bucket: string } | { folder: string };
  /** Apart by what is never there. */
  secret?: { name: string; value?: never } | { name?: never; value: string };
  open?: "fast" | "slow" | (string & {});
  count?: Int32 | string;
  nothing?: Int32 | null;
  limits?: Partial<Record<"cpu" | "memory", string>>;
  tree?: Tree;
}

interface Tree {
  name: string;
  /** @items.preserveUnknownFields */
  children?: object[];
}

/**
 * @group example.com
 * @resource plural=unions
 */
export interface Unions extends CustomResource<UnionsSpec> {}
