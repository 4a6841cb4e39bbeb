import { describe, expect, it } from "vitest";
import {
  formatKubeconfig,
  mergeKubeconfigs,
  parseKubeconfig,
  removeEntry,
  renameContext,
  setCluster,
  setContext,
  setCurrentContext,
  setUser,
} from "./index.js";

const text = `apiVersion: v1
clusters:
- cluster:
    from-the-future: 1
    server: https://a
  name: a
contexts:
- context:
    cluster: a
    user: u
  extra: kept
  name: x
current-context: x
kind: Config
preferences: {}
users:
- name: u
  user:
    token: old
x-tool:
  anything: [1, 2]
`;

describe("editing a kubeconfig", () => {
  it("keeps what it does not understand", () => {
    const edited = setUser(setCluster(parseKubeconfig(text), "a", { server: "https://b" }), "u", { token: "new" });
    expect(formatKubeconfig(edited)).toBe(
      text
        .replace("https://a", "https://b")
        .replace("token: old", "token: new")
        .replace("  anything: [1, 2]", "  anything:\n  - 1\n  - 2"),
    );
  });
  it("adds entries at the end and creates the file's frame", () =>
    expect(formatKubeconfig(setCurrentContext(setContext({}, "other", { cluster: "c" }), "other"))).toBe(
      "apiVersion: v1\ncontexts:\n- context:\n    cluster: c\n  name: other\ncurrent-context: other\nkind: Config\n",
    ));
  it("removes members that are set to undefined, and whole entries", () => {
    const edited = removeEntry(
      setUser(parseKubeconfig(text), "u", { token: undefined, tokenFile: "/t" }),
      "clusters",
      "a",
    );
    expect(edited).toMatchObject({ clusters: [], users: [{ name: "u", user: { tokenFile: "/t" } }] });
    expect(edited.users?.[0]?.user).not.toHaveProperty("token");
  });
  it("renames a context, the current one included", () =>
    expect(renameContext(parseKubeconfig(text), "x", "z")).toMatchObject({
      contexts: [{ name: "z", extra: "kept" }],
      "current-context": "z",
    }));
});

describe("merging kubeconfigs", () => {
  const part = (config: string, file: string) => ({ config: parseKubeconfig(config, file), file });
  it("of one name the first file's entry counts, whole; so does the first current context", () => {
    const merged = mergeKubeconfigs([
      part("users: [{ name: red, user: { token: first } }]", "/1"),
      part("current-context: two\nusers: [{ name: red, user: { username: second } }, { name: blue, user: {} }]", "/2"),
      part("current-context: three", "/3"),
    ]);
    expect(merged.users.get("red")).toEqual({ entry: { token: "first" }, file: "/1" });
    expect(merged.users.get("blue")?.file).toBe("/2");
    expect(merged.currentContext).toEqual({ entry: "two", file: "/2" });
  });
});
