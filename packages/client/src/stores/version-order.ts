import { compareResourceVersions, ResourceVersionError } from "@coxswain/apimachinery/resource-version";

/** Whether `a` is newer than `b`. Versions that are no numbers have no order: false. */
export function isNewerVersion(a: string, b: string): boolean {
  try {
    return compareResourceVersions(a, b) > 0;
  } catch (error) {
    if (error instanceof ResourceVersionError) return false;
    throw error;
  }
}
