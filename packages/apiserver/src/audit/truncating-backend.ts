import type { AuditBackend, OnLost } from "./audit-backend.js";
import { type AuditEvent, eventJson } from "./audit-event.js";

export interface TruncateLimits {
  readonly maxEventBytes: number;
  readonly maxBatchBytes: number;
}

/** Events that are too large lose their objects; those that are still too large are lost; batches that are too large are split. */
export function truncating(
  backend: AuditBackend,
  { maxEventBytes, maxBatchBytes }: TruncateLimits,
  onLost: OnLost,
): AuditBackend {
  return {
    process(events) {
      const batches: AuditEvent[][] = [];
      const lost: AuditEvent[] = [];
      let size = Number.POSITIVE_INFINITY;
      for (const given of events) {
        const { event, bytes } = fit(given, maxEventBytes);
        if (bytes > maxEventBytes) {
          lost.push(event);
          continue;
        }
        if (size + bytes > maxBatchBytes) {
          batches.push([]);
          size = 0;
        }
        size += bytes;
        batches.at(-1)?.push(event);
      }
      if (lost.length > 0) onLost("truncate", new Error("event is too large even after truncating"), lost);
      const [only = []] = batches;
      return batches.length <= 1
        ? only.length === 0 || backend.process(only)
        : Promise.all(batches.map((batch) => backend.process(batch))).then((kept) => kept.every(Boolean));
    },
    stop: () => backend.stop(),
  };
}

function fit(event: AuditEvent, maxEventBytes: number): { event: AuditEvent; bytes: number } {
  const bytes = sizeOf(event);
  if (bytes <= maxEventBytes || event.level === "None" || event.level === "Metadata") return { event, bytes };
  const { requestObject: _, responseObject: __, ...rest } = event;
  const short = { ...rest, annotations: { ...event.annotations, "audit.k8s.io/truncated": "true" } };
  return { event: short, bytes: sizeOf(short) };
}

/** As it is written, the end of the line included. */
const sizeOf = (event: AuditEvent): number => Buffer.byteLength(eventJson(event)) + 1;
