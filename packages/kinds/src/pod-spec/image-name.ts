const identifier = /^[a-f0-9]{64}$/;
const domainComponent = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = `(?:${domainComponent}(?:\\.${domainComponent})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const pathComponent = "[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*";
const name = `(?:${domain}/)?${pathComponent}(?:/${pathComponent})*`;
const tag = "[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}";
const digest = "[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}";
const reference = new RegExp(`^(${name})(?::(${tag}))?(?:@(${digest}))?$`);
const knownDigest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const nameMaxLength = 255;

/** The tag of an image's name: "latest" where it has neither tag nor digest, "" where it has none or cannot be read. */
export function imageTag(image: string): string {
  if (identifier.test(image)) return "";
  const { host, rest } = splitHost(image);
  const remote = rest.split(":", 1)[0] ?? "";
  if (remote.toLowerCase() !== remote) return "";
  const parts = reference.exec(`${host}/${rest}`);
  if (!parts || (parts[1]?.length ?? 0) - host.length - 1 > nameMaxLength) return "";
  const [, , tagged = "", digested = ""] = parts;
  if (digested !== "" && !knownDigest.test(digested)) return "";
  return tagged === "" && digested === "" ? "latest" : tagged;
}

/** A first part counts as a host when it looks like one; other names are of the default registry. */
function splitHost(image: string): { host: string; rest: string } {
  const slash = image.indexOf("/");
  const first = slash < 0 ? "" : image.slice(0, slash);
  const isHost = first === "localhost" || /[.:]/.test(first) || first.toLowerCase() !== first;
  return isHost
    ? { host: first, rest: image.slice(slash + 1) }
    : { host: "docker.io", rest: slash < 0 ? `library/${image}` : image };
}
