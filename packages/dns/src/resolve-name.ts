import { codeOfType, nameOfType, type ResourceRecord, trimRoot } from "@coxswain/wire/dns";
import type { RunningDns } from "./start-dns.js";

/**
 * The data of all records of a type, as zone files have it, under the first name that has some: as a pod's resolver searches, `web.shop` is
 * also `web.shop.svc.cluster.local`. A name with a last dot is taken as it is. Empty: there are none.
 */
export const resolveName = async (dns: Pick<RunningDns, "resolve">, question: NameQuestion): Promise<string[]> =>
  (await findName(dns, question))?.data ?? [];

export interface NameQuestion {
  readonly name: string;
  readonly type: string;
  readonly domain: string;
  /** Of the pod that asks: names of its services need no namespace. @default names have one */
  readonly namespace?: string;
}

/** The same, with the name that has the records. */
export async function findName(
  dns: Pick<RunningDns, "resolve">,
  question: NameQuestion,
): Promise<{ readonly name: string; readonly data: string[] } | undefined> {
  const { type } = question;
  const code = codeOfType(type);
  if (code === undefined) throw new Error(`there is no type of DNS records ${JSON.stringify(type)}`);
  for (const name of searchNames(question)) {
    const { answers } = await dns.resolve(name, code);
    const data = answers.filter((record) => record.type === nameOfType(code)).map(dataText);
    if (data.length > 0) return { name, data };
  }
  return undefined;
}

function searchNames({ name, domain, namespace }: NameQuestion): string[] {
  if (name.endsWith(".")) return [trimRoot(name)];
  const own = namespace === undefined ? [] : [`${name}.${namespace}.svc.${domain}`];
  return [...own, `${name}.svc.${domain}`, `${name}.${domain}`, name];
}

function dataText(record: ResourceRecord): string {
  const { name: _name, class: _class, ttl: _ttl, type: _type, ...data } = record;
  return Object.values(data).flat().join(" ");
}
