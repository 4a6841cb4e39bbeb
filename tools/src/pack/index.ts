export { packPackages, tarballName } from "./pack-packages.js";
export {
  type PackageJson,
  type PublishedPackage,
  publishedPackages,
  withDependencies,
} from "./published-packages.js";
