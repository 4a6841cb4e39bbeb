import type { Examples } from "./examples.js";
import { type Mutation } from "./mutations.js";
import type { Question } from "./upstream.js";
export interface NamedQuestion {
    readonly name: string;
    readonly question: Question;
    /** The base object and what was changed in it. */
    readonly base: number;
    readonly mutation?: Mutation;
}
/** Everything that is asked about a kind's examples. */
export declare function questionsOf({ kind, objects, skip, printed, updates }: Examples): NamedQuestion[];
//# sourceMappingURL=questions.d.ts.map