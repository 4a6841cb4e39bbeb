import { getOwn } from "../own/index.js";
import { isObject, type JsonObject } from "../patch/json-value.js";

/** "apps/v1, Kind=Deployment" */
export function groupVersionKindOf(object: JsonObject): string {
  const text = (name: string): string => {
    const value = getOwn<unknown>(object, name);
    return typeof value === "string" ? value : "";
  };
  if (text("apiVersion").split("/").length > 2) return "/, Kind="; // what cannot be read is nothing
  const [group, version] = text("apiVersion").includes("/") ? text("apiVersion").split("/") : ["", text("apiVersion")];
  return `${group}/${version}, Kind=${text("kind")}`;
}

/** "default/web; apps/v1, Kind=Deployment", as upstream names an object in its errors (k8s.io/apimachinery/pkg/util/managedfields/internal/structuredmerge.go, objectGVKNN). */
export function describeObject(object: JsonObject): string {
  const metadata = getOwn<unknown>(object, "metadata");
  const text = (name: string): string => {
    const value = isObject(metadata) ? getOwn<unknown>(metadata, name) : undefined;
    return typeof value === "string" ? value : "";
  };
  return `${text("namespace")}/${text("name")}; ${groupVersionKindOf(object)}`;
}
