import type { AnyKind } from "../src/index.js";
import type { Answer, Question } from "./upstream.js";
/** What our kind answers, step by step as the server takes them. */
export declare function ourAnswer(kind: AnyKind, { op, view, object: sent, old: stored }: Question, now: number): Answer;
/** "1h30m" in milliseconds. */
export declare const milliseconds: (text: string) => number;
export declare const columnTexts: (kind: AnyKind) => string[];
/** What our strategy says of itself, in upstream's words. */
export declare function ourFacts({ group, version, namespaced, strategy, views }: AnyKind): Record<string, unknown>;
//# sourceMappingURL=our-answer.d.ts.map