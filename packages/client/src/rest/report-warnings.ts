import type { Interceptor } from "../transport/interceptor.js";

export type WarningHandler = (text: string) => void;

/** Passes on the texts of `Warning` headers: deprecated versions, unknown fields, admission. */
export const reportWarnings =
  (onWarning: WarningHandler): Interceptor =>
  (next) => ({
    async send(request) {
      const response = await next.send(request);
      for (const text of response.warnings) if (text !== "") onWarning(text);
      return response;
    },
    watch: (request) => next.watch(request),
    close: () => next.close(),
  });

/** Writes each distinct warning once. Of a long-running process the last 1,000 are remembered. */
export function createWarningLog(write: (line: string) => void): WarningHandler {
  const written = new Set<string>();
  return (text) => {
    if (written.has(text)) return;
    if (written.size >= 1000) written.delete(written.values().next().value as string);
    written.add(text);
    write(`Warning: ${text}`);
  };
}
