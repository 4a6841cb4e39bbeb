import { hasReason } from "@coxswain/apimachinery/status";
import { parseDurationMs, parseTimeMs } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import { FlagError } from "@coxswain/component/flags";
import { askHistory, historyPath } from "./history-group.js";

/** What a user may write for a moment. */
export type PointInTime =
  | { readonly is: "now" }
  | { readonly is: "revision"; readonly revision: number }
  | { readonly is: "time"; readonly time: number };

const help = "10m (ago), 14:05, 2026-11-18T14:05:00Z, a revision such as r99, or now";

/** Pure. `14:05` is the last time that it was so late, by the clock of this machine. @throws FlagError */
export function parsePointInTime(text: string, now: number): PointInTime {
  if (text === "now") return { is: "now" };
  const revision = /^r?(\d{1,15})$/.exec(text)?.[1];
  if (revision !== undefined) return { is: "revision", revision: Number(revision) };
  const [, hours, minutes, seconds = "0"] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(text) ?? [];
  if (hours !== undefined && Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60) {
    const day = new Date(now);
    const time = day.setHours(Number(hours), Number(minutes), Number(seconds), 0);
    return { is: "time", time: time > now ? time - 24 * 3600_000 : time };
  }
  const time = parseTimeMs(text);
  if (time !== undefined) return { is: "time", time };
  const ago = /^\d/.test(text) ? parseDurationMs(text) : undefined;
  if (ago === undefined) throw new FlagError(`${JSON.stringify(text)} is no moment: write ${help}`);
  return { is: "time", time: now - ago };
}

interface MomentStatus {
  readonly gaps?: readonly { readonly after: number; readonly to: number; readonly why: string }[];
  readonly revision?: number;
  readonly time?: string;
  readonly oldest?: { readonly revision: number; readonly time: string };
  readonly newest: { readonly revision: number };
}

/** The revision that was the newest then. @throws FlagError where the history begins later */
export async function revisionOf(client: Client, point: PointInTime): Promise<number> {
  if (point.is === "revision") return point.revision;
  const time = new Date(point.is === "now" ? 8.64e15 : point.time).toISOString().replace(/^\+0?(\d{4})\d*/, "9999");
  const status = await askMoment(client, { time });
  if (point.is === "now") return status.newest.revision;
  if (status.revision === undefined || status.revision < (status.oldest?.revision ?? 0)) throw beginsLater(status);
  return status.revision;
}

async function askMoment(client: Client, spec: object): Promise<MomentStatus> {
  const { status } = await askHistory<{ status: MomentStatus }>(client, {
    method: "POST",
    path: `${historyPath}/moments`,
    body: {
      as: "value",
      value: { apiVersion: "history.coxswain.dev/v1alpha1", kind: "Moment", spec },
    },
  });
  return status;
}

const beginsLater = ({ oldest }: MomentStatus): FlagError =>
  new FlagError(
    oldest
      ? `the history of this cluster begins at ${oldest.time} (r${oldest.revision})`
      : "this cluster has no history yet",
  );

interface Range {
  readonly after: number;
  /** @default the newest */
  readonly to?: number;
}

/** What is missing of the history between two revisions, a line each. Those who may not ask for moments do not get to know. */
export async function gapLines(client: Client, { after, to = Number.POSITIVE_INFINITY }: Range): Promise<string[]> {
  try {
    const { gaps = [] } = await askMoment(client, { revision: 1 });
    return gaps
      .filter((gap) => gap.to > after && gap.after < to)
      .map((gap) => `the history from r${gap.after + 1} to r${gap.to} is missing: ${gap.why}`);
  } catch (error) {
    if (hasReason(error, "Forbidden")) return [];
    throw error;
  }
}

/** @throws FlagError where the history begins after a revision */
export async function mustReach(client: Client, revision: number): Promise<void> {
  const status = await askMoment(client, { revision: Math.max(1, revision) });
  if (status.oldest && revision < status.oldest.revision) throw beginsLater(status);
}
