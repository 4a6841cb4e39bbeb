import type { AnyKind } from "@coxswain/kinds";

/** What a kind's objects are called in paths, in errors and in metrics. */
export const resourceOf = ({ group, resource }: AnyKind): { group: string; resource: string } => ({ group, resource });
