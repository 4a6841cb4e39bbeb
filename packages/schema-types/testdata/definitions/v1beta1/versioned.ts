import type { CustomResource } from "@coxswain/schema-types";

/**
 * Versioned has two versions.
 * @group example.com
 * @resource
 * @deprecatedVersion use v1
 * @unserved
 */
export interface Versioned extends CustomResource<{ old: string }> {}
