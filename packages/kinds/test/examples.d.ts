import { type AnyKind } from "../src/index.js";
/** The objects from which the cases of one kind are made, in `examples/<group>.<resource>.json`. */
export interface Examples {
    readonly kind: AnyKind;
    /** Valid and rich: each member that is there is changed in turn. */
    readonly objects: readonly Record<string, unknown>[];
    /** Paths, without indices, whose members are left alone. */
    readonly skip: readonly string[];
    /** Only printed. */
    readonly printed: readonly Record<string, unknown>[];
    /** Pairs for updates that single changes do not reach. */
    readonly updates: readonly {
        readonly view?: string;
        readonly old: unknown;
        readonly object: unknown;
    }[];
    /** Fields, by their path's beginning, whose errors are checked elsewhere. */
    readonly otherErrors: readonly string[];
}
export declare function readExamples(): Examples[];
//# sourceMappingURL=examples.d.ts.map