import type { PodLogOptions } from "@coxswain/api/core/v1";
import {
  type FieldError,
  FieldPath,
  fieldPath,
  forbidden,
  invalid as invalidField,
  notSupported,
} from "@coxswain/apimachinery/field";
import { badRequest, invalid } from "@coxswain/apimachinery/status";
import { formatTime, parseTime } from "@coxswain/apimachinery/time";
import type { Query } from "../../request/query.js";

const streams: readonly string[] = ["All", "Stderr", "Stdout"];

/** What a client wants of a log. @throws StatusError 400 for what cannot be read */
export function readLogOptions(query: Query, splitStreams: boolean): PodLogOptions {
  const whole = (name: "sinceSeconds" | "tailLines" | "limitBytes"): Partial<PodLogOptions> => {
    const value = query.integer(name);
    return value === undefined ? {} : { [name]: value };
  };
  const stream = query.has("stream") ? query.text("stream") : splitStreams ? "All" : undefined;
  return {
    container: query.text("container"),
    follow: query.flag("follow") === true,
    previous: query.flag("previous") === true,
    timestamps: query.flag("timestamps") === true,
    insecureSkipTLSVerifyBackend: query.flag("insecureSkipTLSVerifyBackend") === true,
    ...whole("sinceSeconds"),
    ...(query.has("sinceTime") ? { sinceTime: readTime(query.text("sinceTime")) } : {}),
    ...whole("tailLines"),
    ...whole("limitBytes"),
    ...(stream === undefined ? {} : { stream }),
  };
}

/** An empty value that was sent explicitly is the zero time. */
function readTime(text: string): string {
  if (text === "" || text === "null") return "0001-01-01T00:00:00Z";
  const { instant, error } = parseTime(text);
  if (!instant) throw badRequest(error);
  return formatTime(instant.seconds * 1000);
}

/** @throws StatusError 422 */
export function checkLogOptions(name: string, options: PodLogOptions, splitStreams: boolean): void {
  const { tailLines, limitBytes, sinceSeconds, sinceTime, stream } = options;
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0)
    errors.push(invalidField(fieldPath("tailLines"), tailLines, "must be greater than or equal to 0"));
  if (limitBytes !== undefined && limitBytes < 1)
    errors.push(invalidField(fieldPath("limitBytes"), limitBytes, "must be greater than 0"));
  if (sinceSeconds !== undefined && sinceTime !== undefined)
    errors.push(forbidden(nowhere, "at most one of `sinceTime` or `sinceSeconds` may be specified"));
  else if (sinceSeconds !== undefined && sinceSeconds < 1)
    errors.push(invalidField(fieldPath("sinceSeconds"), sinceSeconds, "must be greater than 0"));
  if (stream !== undefined && !splitStreams) errors.push(forbidden(fieldPath("stream"), "may not be specified"));
  if (stream !== undefined && splitStreams) {
    if (!streams.includes(stream)) errors.push(notSupported(fieldPath("stream"), stream, streams));
    if (stream !== "All" && tailLines !== undefined)
      errors.push(forbidden(nowhere, "`tailLines` and specific `stream` are mutually exclusive for now"));
  }
  if (errors.length > 0) throw invalid({ group: "", kind: "PodLogOptions" }, name, errors);
}

/** As upstream writes a path that has no name in it (k8s.io/apimachinery/pkg/util/validation/field/path.go, String). */
const nowhere = FieldPath.of("[]");

/** What the kubelet is asked for. */
export function logQuery({
  follow,
  previous,
  timestamps,
  sinceSeconds,
  sinceTime,
  tailLines,
  limitBytes,
  stream,
}: PodLogOptions): [string, string][] {
  const flags = Object.entries({ follow, previous, timestamps }).flatMap(([name, value]): [string, string][] =>
    value === true ? [[name, "true"]] : [],
  );
  const values = Object.entries({ sinceSeconds, sinceTime, tailLines, limitBytes, stream }).flatMap(
    ([name, value]): [string, string][] => (value === undefined ? [] : [[name, String(value)]]),
  );
  return [...flags, ...values];
}
