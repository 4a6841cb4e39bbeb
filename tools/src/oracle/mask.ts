import type { Json, JsonObject, RecordedAnswer } from "../record/index.js";

const portMembers = new Set(["nodePort", "healthCheckNodePort"]);

/** What differs by nature, beside what recordings mask: ports and addresses chosen by chance, and the order of managers, which is that of seconds. */
export function maskChance(answer: RecordedAnswer, caseText: string): RecordedAnswer {
  return answer.body === undefined ? answer : { ...answer, body: mask(answer.body, caseText) };
}

function mask(value: Json, caseText: string): Json {
  if (Array.isArray(value)) return value.map((item: Json) => mask(item, caseText));
  if (typeof value === "string") return maskText(value, caseText);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([name, member]) => [name, maskMember(name, member, caseText)]),
  );
}

function maskMember(name: string, member: Json, caseText: string): Json {
  if (portMembers.has(name) && typeof member === "number" && !caseText.includes(String(member))) return "<port>";
  if (name === "managedFields" && Array.isArray(member))
    return [...(member as readonly JsonObject[])].sort((a, b) => (managerOf(a) < managerOf(b) ? -1 : 1));
  return mask(member, caseText);
}

const managerOf = (entry: JsonObject): string =>
  JSON.stringify([entry["manager"], entry["operation"], entry["subresource"] ?? "", entry["apiVersion"]]);

/** Node ports and cluster addresses within a column or a message. */
const portInText = /(:|nodePort\\*":|\{(?:TCP|UDP|SCTP) )(3[0-2]\d{3})(?=\/(?:TCP|UDP|SCTP)|[,}])/g;
const addressInText = /\b10\.0\.0\.\d{1,3}\b/g;

/** Also where the case happens to hold the same number. */
const versionInText = /(resourceVersion\\*":\s*\\*")\d+/g;
/** Each server gave its administrator another certificate. */
const fingerprint = /\bX509SHA256=[0-9a-f]{64}\b/g;
/** Each server calls its administrator as it likes. */
const administrator = /\bkubernetes-admin\b/g;

/** Upstream gives the type of `self` a random name for every schema that it compiles. */
const selfType = /\bselfType\d+/g;
/** Of a service account; what is in them is compared elsewhere. */
const token = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

function maskText(text: string, caseText: string): string {
  return text
    .replace(token, "<token>")
    .replace(selfType, "selfType")
    .replace(versionInText, "$1<rv>")
    .replace(fingerprint, "X509SHA256=<fingerprint>")
    .replace(administrator, "admin")
    .replace(portInText, (all, before: string, port: string) => (caseText.includes(port) ? all : `${before}<port>`))
    .replace(addressInText, (address) => (caseText.includes(address) ? address : "<address>"));
}
