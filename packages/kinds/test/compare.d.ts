import type { Examples } from "./examples.js";
import type { NamedQuestion } from "./questions.js";
import type { Answer } from "./upstream.js";
export interface Difference {
    readonly what: string;
    readonly text: string;
}
/** Where our answer is another than upstream's. `only`: the parts that are known of theirs. */
export declare function differencesOf(examples: Examples, { name, question }: NamedQuestion, theirs: Answer, now: number, only?: ReadonlySet<string>): Difference[];
/** "" when there are none. */
export declare function report(asked: number, differences: readonly Difference[], most: number): string;
//# sourceMappingURL=compare.d.ts.map