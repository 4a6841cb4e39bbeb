import { type SchemaNode } from "@coxswain/apimachinery/schema";
/** One change to an object: the member at `path` becomes `value`, or goes when `value` is undefined. */
export interface Mutation {
    readonly path: readonly (string | number)[];
    readonly value: unknown;
}
/** Every single change worth a try, in the order of the object's type. `skip`: paths (without indices) that are left alone. */
export declare function mutationsOf(object: unknown, node: SchemaNode, skip: readonly string[]): Mutation[];
export declare function applyMutation(object: unknown, { path, value }: Mutation): unknown;
export declare const mutationText: ({ path, value }: Mutation) => string;
//# sourceMappingURL=mutations.d.ts.map