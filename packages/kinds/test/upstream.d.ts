/** A question to tools/answers/kinds, which runs upstream's own strategies and printers. */
export interface Question {
    readonly op: "create" | "update" | "print" | "facts";
    readonly group: string;
    readonly version: string;
    readonly resource: string;
    readonly view?: string;
    readonly object: unknown;
    readonly old?: unknown;
}
export interface Answer {
    readonly defaulted?: unknown;
    readonly prepared?: unknown;
    readonly errors?: readonly string[];
    readonly warnings?: readonly string[];
    readonly cells?: readonly unknown[];
    readonly conditions?: unknown;
    readonly columns?: readonly string[];
    readonly facts?: Readonly<Record<string, unknown>>;
    readonly failure?: string;
}
/** Path of the built program; tests that need it are skipped without. */
export declare const upstreamProgram: string | undefined;
/** `now`: what a time in an object is counted from; printers have their own clock. */
export declare function askUpstream(questions: readonly Question[], now: number): Answer[];
//# sourceMappingURL=upstream.d.ts.map