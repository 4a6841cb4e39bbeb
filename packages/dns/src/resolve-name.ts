import { codeOfType, nameOfType, type ResourceRecord, trimRoot } from "@coxswain/wire/dns";
import type { RunningDns } from "./start-dns.js";

/**
 * The data of all records of a type, as zone files have it, under the first name that has some: as a pod's resolver searches, `web.shop` is
 * also `web.shop.svc.cluster.local`. A name with a last dot is taken as it is. Empty: there are none.
 */
export async function resolveName(
  dns: Pick<RunningDns, "resolve">,
  { name, type, domain }: { readonly name: string; readonly type: string; readonly domain: string },
): Promise<string[]> {
  const code = codeOfType(type);
  if (code === undefined) throw new Error(`there is no type of DNS records ${JSON.stringify(type)}`);
  for (const candidate of searchNames(name, domain)) {
    const { answers } = await dns.resolve(candidate, code);
    const texts = answers.filter((record) => record.type === nameOfType(code)).map(dataText);
    if (texts.length > 0) return texts;
  }
  return [];
}

function searchNames(name: string, domain: string): string[] {
  if (name.endsWith(".")) return [trimRoot(name)];
  return [`${name}.svc.${domain}`, `${name}.${domain}`, name];
}

function dataText(record: ResourceRecord): string {
  const { name: _name, class: _class, ttl: _ttl, type: _type, ...data } = record;
  return Object.values(data).flat().join(" ");
}
