import type { PluginConfiguration } from "./plugin-configuration.js";

/**
 * The document of a plugin, if it is of one of the `kinds` (kind by apiVersion).
 * @throws when it is of another
 */
export function readConfiguration<T>(
  { plugin, document }: PluginConfiguration,
  kinds: Readonly<Record<string, string>>,
): Partial<T> {
  if (document === undefined || document === null) return {};
  if (typeof document !== "object" || Array.isArray(document))
    throw new Error(`configuration of admission plugin ${plugin}: expected an object`);
  const { apiVersion, kind } = document as { apiVersion?: unknown; kind?: unknown };
  const known = typeof apiVersion === "string" && Object.hasOwn(kinds, apiVersion) ? kinds[apiVersion] : undefined;
  if (known !== undefined && known === kind) return document as Partial<T>;
  const expected = Object.entries(kinds).map(([version, each]) => `${each} of ${version}`);
  throw new Error(
    `configuration of admission plugin ${plugin}: expected ${expected.join(" or ")}, not ${String(kind ?? "nothing")} of ${String(apiVersion ?? "no version")}`,
  );
}
