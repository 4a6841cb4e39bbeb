/** Of which images that are on the node a pod must show that it may use them: `imagePullCredentialsVerificationPolicy`. */
export type VerificationPolicy = (image: string, isPulledByKubelet: boolean) => boolean;

/** Upstream's `pkg/kubelet/images/pullmanager/image_pull_policies.go`. @throws Error that names what is wrong */
export function createVerificationPolicy(name: string | undefined, allowlist: readonly string[]): VerificationPolicy {
  switch (name) {
    case "NeverVerify":
      return () => false;
    case undefined:
    case "NeverVerifyPreloadedImages":
      return (_, isPulledByKubelet) => isPulledByKubelet;
    case "NeverVerifyAllowlistedImages": {
      const patterns = allowlist.map(parsePattern);
      return (image) => !patterns.some((pattern) => pattern(repositoryOf(image)));
    }
    case "AlwaysVerify":
      return () => true;
    default:
      throw new Error(`unknown image pull credential verification policy: ${name}`);
  }
}

function parsePattern(pattern: string): (repository: string) => boolean {
  if (pattern !== pattern.trim()) throw new Error(`leading/trailing spaces are not allowed: ${pattern}`);
  const isPrefix = pattern.endsWith("/*");
  const text = isPrefix ? pattern.slice(0, -1) : pattern;
  if (text === "") throw new Error(`the supplied pattern is too short: ${pattern}`);
  if (text.includes("*"))
    throw new Error(`not a valid wildcard pattern, only patterns ending with '/*' are allowed: ${pattern}`);
  if (isPrefix) {
    if (text === "/") throw new Error("at least registry hostname is required");
    return (repository) => repository.startsWith(text);
  }
  if (repositoryOf(text) !== text)
    throw new Error(`neither tag nor digest is accepted in an image reference: ${pattern}`);
  return (repository) => repository === text;
}

/** An image without its tag and its digest. */
export function repositoryOf(image: string): string {
  const [named = ""] = image.split("@");
  const colon = named.lastIndexOf(":");
  return colon > named.lastIndexOf("/") ? named.slice(0, colon) : named;
}
