import type { RecordedAnswer } from "./answer.js";
import type { Json, JsonObject } from "./json.js";
import { isJsonObject } from "./json.js";
import { withoutDescriptions } from "./openapi-document.js";
import type { Placeholders } from "./placeholders.js";
import { createPlaceholders } from "./placeholders.js";
import type { RawAnswer } from "./raw-answer.js";

/** Headers that are part of the API's behaviour. The others are of the connection, or differ by nature. */
const keptHeaders = [
  "allow",
  "cache-control",
  "content-encoding",
  "content-type",
  "etag",
  "location",
  "retry-after",
  "vary",
  "warning",
  "www-authenticate",
  "x-content-type-options",
];

/** Members of `/version` that identify the build. */
const buildMembers = new Set(["buildDate", "compiler", "gitCommit", "goVersion", "platform"]);
const addressMembers = new Set(["clusterIP", "clusterIPs", "hostIP", "podIP", "ip"]);
/** Columns of a Table that show a time by how long ago it was. */
const ageColumns = new Set(["Age", "Created At", "First Seen", "Last Schedule", "Last Seen"]);
/** What these columns show where there is no time: the same on every day. */
const noAge = new Set<Json>(["", "<none>", "<unknown>"]);

/**
 * Makes the answers of one case comparable with those of another run or another server.
 * @param caseText the case as JSON: what stands in it is never replaced
 */
export function normalise(answers: readonly RawAnswer[], caseText: string): RecordedAnswer[] {
  const roots = answers.flatMap((answer) => [
    ...(answer.body === undefined ? [] : [answer.body]),
    ...(answer.events ?? []),
  ]);
  const seen: Collected = { resourceVersions: [], namePrefixes: namePrefixesSent(caseText) };
  for (const root of roots) collect(root, seen);
  const placeholders = createPlaceholders(seen, caseText);
  const walk = (value: Json): Json => normaliseValue(value, placeholders);
  return answers.map(({ step, status, headers, body, events }) => {
    if (step.quiet === true) return { step: step.name, status };
    return {
      step: step.name,
      status,
      headers: normaliseHeaders(headers, placeholders),
      ...(body === undefined ? {} : { body: walk(withoutDescriptions(body)) }),
      ...(events === undefined ? {} : { events: events.map(walk) }),
    };
  });
}

function normaliseHeaders(
  headers: RawAnswer["headers"],
  placeholders: Placeholders,
): NonNullable<RecordedAnswer["headers"]> {
  const kept: Record<string, string | string[]> = {};
  for (const name of keptHeaders) {
    const value = headers[name];
    if (value === undefined) continue;
    // An entity tag is a digest of a document from which descriptions are still missing here: only its being there counts.
    if (name === "etag") kept[name] = "<etag>";
    else
      kept[name] = typeof value === "string" ? placeholders.text(value) : value.map((line) => placeholders.text(line));
  }
  return kept;
}

interface Collected {
  resourceVersions: string[];
  namePrefixes: string[];
}

/** A refused object is not sent back, but its generated name may stand in the message. */
const namePrefixesSent = (caseText: string): string[] =>
  [...caseText.matchAll(/"generateName":"([^"\\]+)"/g)].map(([, prefix]) => prefix!);

function collect(value: Json, seen: Collected): void {
  if (Array.isArray(value)) return value.forEach((item: Json) => collect(item, seen));
  if (!isJsonObject(value)) return;
  const { metadata } = value;
  if (isJsonObject(metadata) && !isCollection(value)) {
    const { resourceVersion, generateName } = metadata;
    if (typeof resourceVersion === "string" && /^[1-9]\d*$/.test(resourceVersion))
      seen.resourceVersions.push(resourceVersion);
    if (typeof generateName === "string") seen.namePrefixes.push(generateName);
  }
  for (const [member, inner] of Object.entries(value)) {
    if (member === "object" && value["type"] === "BOOKMARK") continue;
    collect(inner, seen);
  }
}

/** Whether the object's resource version is the server's own rather than an object's. */
const isCollection = (value: JsonObject): boolean =>
  Array.isArray(value["items"]) ||
  Array.isArray(value["rows"]) ||
  value["columnDefinitions"] !== undefined ||
  value["items"] === null;

type Version = "object" | "collection";

function normaliseValue(value: Json, placeholders: Placeholders, version: Version = "object"): Json {
  if (typeof value === "string") return placeholders.text(value);
  if (Array.isArray(value)) return value.map((item: Json) => normaliseValue(item, placeholders));
  if (!isJsonObject(value)) return value;
  const table = Array.isArray(value["columnDefinitions"]) ? maskTable(value) : value;
  const isVersion = typeof table["gitVersion"] === "string" && typeof table["goVersion"] === "string";
  const members = Object.entries(table).map(([name, member]): [string, Json] => {
    if (isVersion && buildMembers.has(name)) return [name, "<build>"];
    if (name === "metadata")
      return [name, normaliseValue(member, placeholders, isCollection(table) ? "collection" : version)];
    if (name === "object" && table["type"] === "BOOKMARK")
      return [name, normaliseValue(member, placeholders, "collection")];
    if (name === "resourceVersion" && typeof member === "string") {
      return [
        name,
        version === "collection" ? placeholders.collectionVersion(member) : placeholders.resourceVersion(member),
      ];
    }
    if (name === "managedFields" && Array.isArray(member))
      return [name, normaliseValue(inSettledOrder(member), placeholders)];
    if (name === "continue" && typeof member === "string" && member !== "") return [name, "<continue>"];
    if (name === "serverAddress") return [name, "<host>"];
    if (addressMembers.has(name)) return [name, mapStrings(member, (text) => placeholders.address(text))];
    return [placeholders.text(name), normaliseValue(member, placeholders)];
  });
  return Object.fromEntries(members);
}

/** As within one second; entries of different seconds stand in the order of their times, which is chance here. */
function inSettledOrder(entries: readonly Json[]): Json[] {
  const key = (entry: Json): string =>
    isJsonObject(entry)
      ? ["operation", "manager", "apiVersion", "subresource"].map((member) => String(entry[member] ?? "")).join("\0")
      : "";
  return [...entries].sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
}

function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  return Array.isArray(value) ? value.map((item: Json) => mapStrings(item, change)) : value;
}

/**
 * Ages differ by nature, also those counted from a time that the case sets: a recording must not depend on the day on
 * which it was made or is played. A column's description is prose, so only its presence is kept.
 */
function maskTable(table: JsonObject): JsonObject {
  const columns = table["columnDefinitions"] as readonly JsonObject[];
  const names = columns.map((column) => String(column["name"]));
  const rows = (table["rows"] as readonly JsonObject[] | null)?.map((row) => {
    const { cells } = row;
    if (!Array.isArray(cells)) return row;
    const isAge = (index: number): boolean =>
      ageColumns.has(names[index] ?? "") || (names[index] === "Duration" && !isComplete(names, cells));
    const changed = cells.map((cell: Json, index) => (isAge(index) && !noAge.has(cell) ? "<age>" : cell));
    return { ...row, cells: changed };
  });
  const definitions = columns.map((column) => (column["description"] ? { ...column, description: "<text>" } : column));
  return { ...table, columnDefinitions: definitions, rows: rows ?? null };
}

/** The duration of a complete Job lies between two times of its status; any other Job's grows until now. */
const isComplete = (columns: readonly string[], cells: readonly Json[]): boolean =>
  cells[columns.indexOf("Status")] === "Complete";
