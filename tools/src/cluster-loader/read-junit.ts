const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#34": '"',
  "#39": "'",
  "#xA": "\n",
};

const plain = (text: string): string =>
  text.replaceAll(/&([#\w]+);/g, (whole, name: string) => entities[name] ?? whole).trim();

/** Pure: the failed steps of a junit.xml of clusterloader2, each with its message. A file without a test is a failure of its own. */
export function readJunit(xml: string): string[] {
  const cases = [...xml.matchAll(/<testcase\b([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)];
  if (cases.length === 0) return ["junit.xml has no test"];
  return cases.flatMap(([, attributes = "", body = ""]) => {
    const failure = /<failure\b[^>]*?(?:\/>|>([\s\S]*?)<\/failure>)/.exec(body);
    if (failure === null) return [];
    const name = plain(/\bname="([^"]*)"/.exec(attributes)?.[1] ?? "");
    return [`${name}: ${plain(failure[1] ?? "")}`];
  });
}
