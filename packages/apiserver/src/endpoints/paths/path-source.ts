import type { Answer } from "../../request/answer.js";
import type { RequestContext } from "../../request/request-context.js";

/** Answers paths that are not about a resource; undefined: not one of mine. */
export type PathSource = (context: RequestContext) => Promise<Answer | undefined> | Answer | undefined;

/** The first source that knows the path answers. */
export const firstOf =
  (...sources: readonly PathSource[]): PathSource =>
  async (context) => {
    for (const source of sources) {
      const answer = await source(context);
      if (answer) return answer;
    }
    return undefined;
  };
