import type { ResourceInfo, SearchHit } from "../contract/messages.js";
import { objectLink, refTo, resourceKey } from "../contract/paths.js";
import type { Catalogue } from "./catalogue.js";
import type { TableStores } from "./table-store.js";

/** Kinds whose objects people look for by name; others are found once their table is open. */
const searched = `deployments.apps statefulsets.apps daemonsets.apps jobs.batch cronjobs.batch pods services
  ingresses.networking.k8s.io configmaps secrets persistentvolumeclaims serviceaccounts nodes namespaces
  customresourcedefinitions.apiextensions.k8s.io`;

const maxCustomKinds = 40;
const maxHits = 40;

/** Finds kinds and objects by parts of their names. The informers that it needs stay for half a minute after the last question. */
export function createSearch(catalogue: Catalogue, stores: TableStores): (text: string) => SearchHit[] {
  return (text) => {
    const words = text
      .toLowerCase()
      .split(" ")
      .filter((word) => word !== "");
    const kinds = catalogue.resources.filter((info) => isTable(info) && matchesKind(info, words));
    const meant = kinds.filter((info) => beginsWith(info, words[0] ?? ""));
    const others = kinds.filter((info) => !meant.includes(info));
    const objects = words.length === 0 ? [] : findObjects(catalogue, stores, words);
    return [...meant.slice(0, 8).map(kindHit), ...objects, ...others.map(kindHit)].slice(0, maxHits);
  };
}

const isTable = ({ verbs }: ResourceInfo): boolean => verbs.includes("list") && verbs.includes("watch");

const matchesKind = ({ resource, kind, shortNames, group }: ResourceInfo, words: readonly string[]): boolean =>
  words.every((word) =>
    [resource, kind.toLowerCase(), group, ...shortNames].some((name, at) =>
      at < 3 ? name.includes(word) : name === word,
    ),
  );

const beginsWith = ({ resource, shortNames }: ResourceInfo, word: string): boolean =>
  resource.startsWith(word) || shortNames.includes(word);

const kindHit = (info: ResourceInfo): SearchHit => ({
  title: info.kind,
  detail: info.group === "" ? "core" : info.group,
  hash: `#/t/${resourceKey(info)}`,
});

function findObjects(catalogue: Catalogue, stores: TableStores, words: readonly string[]): SearchHit[] {
  const hits: { hit: SearchHit; rank: number }[] = [];
  for (const info of searchedKinds(catalogue)) {
    const { store, release } = stores.use(info, "");
    for (const row of store.rows()) {
      const whole = `${info.resource} ${row.namespace}/${row.name}`;
      if (!words.every((word) => whole.includes(word))) continue;
      const detail = row.namespace === "" ? info.kind : `${info.kind} in ${row.namespace}`;
      hits.push({
        hit: { title: row.name, detail, hash: objectLink(refTo(info, row)) },
        rank: row.name === words[0] ? 0 : row.name.startsWith(words[0] ?? "") ? 1 : 2,
      });
      if (hits.length > 500) break;
    }
    release();
  }
  return hits.sort((a, b) => a.rank - b.rank || a.hit.title.length - b.hit.title.length).map(({ hit }) => hit);
}

function searchedKinds(catalogue: Catalogue): ResourceInfo[] {
  const custom = catalogue.resources.filter(
    (info) => info.isCustom && isTable(info) && !/^(metrics\.k8s\.io|history\.coxswain\.dev)$/.test(info.group),
  );
  return [...catalogue.named(searched), ...custom.slice(0, maxCustomKinds)];
}
