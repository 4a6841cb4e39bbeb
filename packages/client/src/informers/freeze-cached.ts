import { createDeepFreeze } from "@coxswain/apimachinery/json";

const environment = (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env;

/** Freezes what enters a cache, with all in it, when `COXSWAIN_DEEP_FREEZE` is set: a reader who changes it fails at once. */
export const freezeCached = createDeepFreeze(Boolean(environment?.["COXSWAIN_DEEP_FREEZE"]));
