import { recordName } from "../objects/object-lift.ts";
import type { ObjectName } from "../objects/object-facts.ts";
import type { ObjectKind } from "../objects/seen.ts";

export function objectsPath(namespace: string, kind: ObjectKind): string {
  return `/apis/apps/v1/namespaces/${namespace}/${kind.toLowerCase()}s`;
}

export function objectPath({ namespace, kind, name }: ObjectName): string {
  return `${objectsPath(namespace, kind)}/${name}`;
}

export function recordsPath(namespace: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps`;
}

export function recordPath(object: ObjectName): string {
  return `${recordsPath(object.namespace)}/${recordName(object)}`;
}
