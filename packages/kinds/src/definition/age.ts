import { humanDuration } from "@coxswain/apimachinery/time";

/** The time since a stamp, as kubectl and the server's tables print it. */
export const age = (stamp: string | null | undefined, now: number): string =>
  stamp ? humanDuration(now - Date.parse(stamp)) : "<unknown>";
