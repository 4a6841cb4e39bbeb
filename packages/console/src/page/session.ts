const storageKey = "coxswain.session";

/**
 * The session's key: kept in this tab, or exchanged for the code in the link. The code leaves the address at once, so that it is in
 * no history and no screenshot.
 */
export async function openSession(): Promise<string | undefined> {
  const code = /^#c=([\w-]+)$/.exec(location.hash)?.[1];
  if (code === undefined) return sessionStorage.getItem(storageKey) ?? undefined;
  history.replaceState(null, "", "#/");
  const response = await fetch("/session", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  if (!response.ok) return undefined;
  const { key } = (await response.json()) as { key: string };
  sessionStorage.setItem(storageKey, key);
  return key;
}

/** The relay does not know the key any more: it was started anew. */
export const forgetSession = (): void => sessionStorage.removeItem(storageKey);
