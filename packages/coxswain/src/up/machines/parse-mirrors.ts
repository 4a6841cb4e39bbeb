import { FlagError } from "@coxswain/component/flags";
import type { RegistryMirror } from "@coxswain/machines";

/** A host with an optional port, as it stands in the names of images; it becomes the name of a folder. */
const registryName = /^(?:_default|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?)$/;

/** Of `registry=url` each; several of one registry are asked in their order. @throws FlagError */
export function parseMirrors(texts: readonly string[]): RegistryMirror[] {
  const urls = new Map<string, string[]>();
  for (const text of texts) {
    const [registry = "", url = ""] = splitAt(text, text.indexOf("="));
    if (!registryName.test(registry) || !isUrl(url))
      throw new FlagError(
        `--registry-mirror must be registry=url, such as docker.io=https://mirror.example:5000, not ${JSON.stringify(text)}`,
      );
    urls.set(registry, [...(urls.get(registry) ?? []), url]);
  }
  return [...urls].map(([registry, all]) => ({ registry, urls: all }));
}

const splitAt = (text: string, at: number): string[] => (at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]);

const isUrl = (text: string): boolean => URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);
